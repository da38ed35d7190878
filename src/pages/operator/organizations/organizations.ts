import type { OrganizationJson } from '../../../http/operator/organizations/organizations.ts'
import { code, linked, links, timed } from '../../rendering/forms/blocks.ts'
import { tabUrl } from '../console-page.ts'
import { listTable } from '../list-table.ts'
import type { Tab } from '../tab.ts'
import { organizationUrl } from './path.ts'

const path = tabUrl('organizations')

/** The list of organizations. */
export const operatorOrganizations = ({ page }: Tab) =>
  page(path, 'organizations:read', async (visit) => {
    const { text, may } = visit
    const { organizations, columns } = text.operator
    return {
      heading: organizations.heading,
      blocks: [
        ...links(may('organizations:write') && [organizations.create, `${path}/new`, true]),
        await listTable<OrganizationJson>(visit, {
          from: '/organizations',
          url: path,
          find: { kind: 'organization' },
          columns: [
            [columns.name, (one) => linked(one.name, organizationUrl(one.id))],
            [columns.id, (one) => code(one.id)],
            [columns.created, (one) => timed(text, one.created_at)],
          ],
          empty: organizations.empty,
        }),
      ],
    }
  })
