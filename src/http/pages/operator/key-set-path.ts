import type { Workload } from '../../../core/clients/workloads.ts'
import type { OperatorVisit } from './operator-gate.ts'
import {
  type OrganizationJson,
  organizationPath,
  organizationUrl,
  readOrganization,
} from './organization-path.ts'
import { parameter } from './parameter.ts'

export interface KeySetJson {
  id: string
  client_id: string
  name: string
  description: string | null
  interface: 'current' | 'legacy'
  permissions: string[]
  workspace_ids: string[] | null
  workloads: Workload[]
  secrets: {
    hint: string
    created_at: string
    last_used_at: string | null
    expires_at: string | null
  }[]
  created_at: string
}

export interface KeySetPlace {
  organization: OrganizationJson
  item: KeySetJson
  etag: string
  /** Its path in the Operator API. */
  at: string
  /** The address of its page. */
  url: string
}

export const keySetPath = `${organizationPath}/key-sets/:key_set_id`

/** @throws NotFound */
export const readKeySet = async (visit: OperatorVisit): Promise<KeySetPlace> => {
  const { item: organization } = await readOrganization(visit)
  const id = parameter(visit.request, 'key_set_id')
  const at = `/organizations/${organization.id}/key-sets/${id}`
  const version = await visit.api.readVersion<KeySetJson>(at)
  return { organization, ...version, at, url: `${organizationUrl(organization.id)}/key-sets/${id}` }
}
