import type { Place, RememberedConsent } from '../../../core/authorization/places.ts'
import type { InJson } from '../connection/batched-reads.ts'
import { type Columns, column, nested, since } from '../connection/columns.ts'

/** An install `i`. */
export const installColumns: Columns<InJson<NonNullable<Place['install']>>> = {
  id: column,
  permissions: column,
  workspaceIds: column,
  createdAt: column,
  suspended: since('suspended_at'),
}

export const consentColumns: Columns<RememberedConsent> = {
  installId: column,
  offered: column,
  permissions: column,
  workspaceIds: column,
  offeredWorkspaceIds: column,
  resources: column,
  openidScopes: column,
}

/** The consent `c` of a left join on `liveConsent`. */
export const consent = nested(consentColumns, 'c', 'install_id')

/** Condition of a join: an expired consent is none, also before it is deleted. */
export const liveConsent = 'coalesce(c.expires_at > now(), true)'
