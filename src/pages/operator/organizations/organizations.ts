import type { OrganizationJson } from '../../../http/operator/organizations/organizations.ts'
import { copied, linked, links, timed } from '../../rendering/forms/blocks.ts'
import { tabUrl } from '../console-page.ts'
import { listTable, whether } from '../list-table.ts'
import type { Tab } from '../tab.ts'
import { organizationUrl } from './path.ts'

const path = tabUrl('organizations')

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
          find: text.search.named,
          choices: [
            whether(visit, 'sandbox', organizations.sandbox),
            whether(visit, 'suspended_apps', organizations.suspendedApps),
          ],
          columns: [
            [columns.name, (one) => linked(one.name, organizationUrl(one.id)), 'name'],
            [columns.id, (one) => copied(one.id)],
            [columns.created, (one) => timed(text, one.created_at), 'created_at'],
          ],
          empty: organizations.empty,
        }),
      ],
    }
  })
