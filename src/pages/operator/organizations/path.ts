import type { OrganizationJson } from '../../../http/operator/organizations/organizations.ts'
import { tabUrl } from '../console-page.ts'
import type { OperatorVisit } from '../gate.ts'

export const organizationPath = `${tabUrl('organizations')}/:organization_id`

export const organizationUrl = (id: string) => `${tabUrl('organizations')}/${id}`

/** The organization in the page's path, as a segment of a path of the API. */
export const organizationId = ({ parameter }: OperatorVisit) => parameter('organization_id')

/** @throws NotFound */
export const readOrganization = async (visit: OperatorVisit) => {
  const id = organizationId(visit)
  const read = await visit.api.readVersion<OrganizationJson>(`/organizations/${id}`)
  return { ...read, url: organizationUrl(read.item.id), subject: read.item.name }
}
