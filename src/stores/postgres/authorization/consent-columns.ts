import type { RememberedConsent } from '../../../core/authorization/places.ts'
import type { OpenidScope } from '../../../core/clients/openid.ts'

export interface ConsentRow {
  consent_install_id: string
  consent_offered: string[]
  consent_permissions: string[]
  consent_workspace_ids: string[] | null
  consent_offered_workspace_ids: string[] | null
  consent_resources: string[] | null
  consent_openid_scopes: OpenidScope[]
}

/** The columns of a consent `c`. */
export const consentColumns = `c.install_id as consent_install_id, c.offered as consent_offered,
         c.permissions as consent_permissions, c.workspace_ids as consent_workspace_ids,
         c.offered_workspace_ids as consent_offered_workspace_ids,
         c.resources as consent_resources, c.openid_scopes as consent_openid_scopes`

export const consentOf = (row: ConsentRow): RememberedConsent => ({
  installId: row.consent_install_id,
  offered: row.consent_offered,
  permissions: row.consent_permissions,
  workspaceIds: row.consent_workspace_ids,
  offeredWorkspaceIds: row.consent_offered_workspace_ids,
  resources: row.consent_resources,
  openidScopes: row.consent_openid_scopes,
})
