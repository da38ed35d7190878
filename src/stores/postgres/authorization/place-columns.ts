import type { AppInOrganization, RememberedConsent } from '../../../core/authorization/places.ts'
import type { InJson } from '../connection/batched-reads.ts'
import { type Columns, computed, nested, plain, since } from '../connection/columns.ts'

/** An install `i`. */
export const installColumns: Columns<InJson<NonNullable<AppInOrganization['install']>>> = {
  ...plain('id', 'permissions', 'workspaceIds', 'self', 'createdAt'),
  suspended: since('suspended_at'),
}

export const consentColumns: Columns<RememberedConsent> = {
  ...plain('installId', 'offered', 'permissions', 'workspaceIds', 'offeredWorkspaceIds'),
  ...plain('resources', 'openidScopes'),
}

/**
 * May the member `m` connect the install `i` by the policy `p` of the organization? An approval counts for the install
 * of its time, and a consent that exists stays.
 * @param clientId an expression
 */
export const mayConnect = (clientId: string) =>
  computed(`coalesce(p.connect, 'all') <> 'ask' or m.role = 'admin'
    or (i.id is not null and coalesce(c.install_id = i.id, false))
    or exists (select from install_requests
      where user_id = m.user_id and organization_id = m.organization_id and client_id = ${clientId}
        and decision = 'approved' and decided_at >= i.created_at)`)
/** Is the install `i` a self-install that is younger than the rule to ask an admin for devices? */
export const asksForDevice = computed(
  `coalesce(i.self and p.device_flow = 'ask' and i.created_at >= p.device_flow_since, false)`,
)
export const mayAsk = computed(`coalesce(p.connect, 'all') <> 'installed'`)

/** The consent `c` of a left join on `liveConsent`. */
export const consent = nested(consentColumns, 'c', 'install_id')
