import type { OrganizationJson } from '../../../http/operator/organizations/organizations.ts'
import { copied, facts, linked, links, timed } from '../../rendering/forms/blocks.ts'
import { firstPart } from '../../rendering/long-list.ts'
import { type ConsolePage, tabUrl } from '../console-page.ts'
import type { OperatorVisit } from '../gate.ts'
import { listTable, partOf } from '../list-table.ts'
import type { Tab } from '../tab.ts'
import { identityProviderBlocks } from './identity-provider.ts'
import { keySetsBlocks } from './key-sets.ts'
import { installsBlocks, lists, membersBlocks, workspacesBlocks } from './lists.ts'
import { organizationPath, organizationUrl, readOrganization } from './path.ts'
import { policyBlocks } from './policy.ts'
import { scimBlocks } from './scim.ts'

const path = tabUrl('organizations')

const list = async (visit: OperatorVisit): Promise<ConsolePage> => {
  const { text, may } = visit
  const { organizations, columns } = text.operator
  return {
    heading: organizations.heading,
    blocks: [
      ...links(may('organizations:write') && [organizations.create, `${path}/new`, true]),
      await listTable<OrganizationJson>(visit, {
        from: '/organizations',
        url: path,
        columns: [
          [columns.name, (one) => linked(one.name, organizationUrl(one.id))],
          [columns.id, (one) => copied(one.id)],
          [columns.created, (one) => timed(text, one.created_at)],
        ],
        empty: organizations.empty,
      }),
    ],
  }
}

const show = async (visit: OperatorVisit): Promise<ConsolePage> => {
  const { text, may } = visit
  const { organizations, columns } = text.operator
  const { item, url } = await readOrganization(visit)
  const mayChange = may('organizations:write')
  const parts = await Promise.all([
    membersBlocks(visit, item.id, firstPart),
    workspacesBlocks(visit, item.id, firstPart),
    installsBlocks(visit, item.id, firstPart),
    policyBlocks(visit, item.id),
    keySetsBlocks(visit, item.id, firstPart),
    scimBlocks(visit, item.id, firstPart),
    identityProviderBlocks(visit, item.id),
  ])
  return {
    heading: item.name,
    blocks: [
      facts(null, [
        [columns.id, copied(item.id)],
        [columns.created, timed(text, item.created_at)],
      ]),
      ...links(
        mayChange && [organizations.rename, `${url}/rename`],
        mayChange && [organizations.remove, `${url}/delete`],
      ),
      ...parts.flat(),
    ],
    back: { label: organizations.heading, href: path },
  }
}

/** Organizations, their members, workspaces and installed apps. */
export const operatorOrganizations = ({ page }: Tab) => {
  page(path, 'organizations:read', list)
  page(organizationPath, 'organizations:read', show)

  for (const [name, [blocks, permission]] of Object.entries(lists))
    page(`${organizationPath}/${name}`, permission, async (visit) => {
      const { item, url } = await readOrganization(visit)
      return {
        heading: item.name,
        blocks: await blocks(visit, item.id, partOf(visit)),
        back: { label: visit.text.operator.organizations.back, href: url },
      }
    })
}
