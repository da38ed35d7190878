import type { OrganizationJson } from '../../../http/operator/organizations/organizations.ts'
import { tabUrl } from '../console-page.ts'
import type { OperatorVisit } from '../gate.ts'
import { parameter } from '../parameter.ts'

/** The address of the page of any organization. */
export const organizationPath = `${tabUrl('organizations')}/:organization_id`

export const organizationUrl = (id: string) => `${tabUrl('organizations')}/${id}`

/** The organization in the page's path, as a segment of a path of the API. */
export const organizationId = ({ request }: OperatorVisit) => parameter(request, 'organization_id')

/** @throws NotFound */
export const readOrganization = (visit: OperatorVisit) =>
  visit.api.readVersion<OrganizationJson>(`/organizations/${organizationId(visit)}`)
