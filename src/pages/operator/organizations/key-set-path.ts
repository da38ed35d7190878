import type { KeySetJson } from '../../../http/operator/organizations/key-sets.ts'
import type { OrganizationJson } from '../../../http/operator/organizations/organizations.ts'
import type { OperatorVisit } from '../gate.ts'
import { parameter } from '../parameter.ts'
import { organizationPath, organizationUrl, readOrganization } from './path.ts'

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
