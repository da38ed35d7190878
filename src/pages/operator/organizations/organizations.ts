import type { FastifyInstance } from 'fastify'
import type { OrganizationJson } from '../../../http/operator/organizations/organizations.ts'
import {
  code,
  facts,
  linked,
  links,
  listLinks,
  table,
  timed,
} from '../../rendering/forms/blocks.ts'
import { firstPart, readPart } from '../../rendering/long-list.ts'
import { showConsole, tabUrl } from '../console-page.ts'
import { createOperatorGate, type OperatorPagesDependencies, type OperatorVisit } from '../gate.ts'
import { identityProviderBlocks } from './identity-provider.ts'
import { keySetsBlocks } from './key-sets.ts'
import {
  installsBlocks,
  membersBlocks,
  operatorOrganizationLists,
  workspacesBlocks,
} from './lists.ts'
import { organizationId, organizationPath, organizationUrl } from './path.ts'
import { policyBlocks } from './policy.ts'
import { scimBlocks } from './scim.ts'

const itemsOfPage = '25'

/** Organizations, their members, workspaces and installed apps. */
export const operatorOrganizations = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const asOperator = createOperatorGate(deps)
  const path = tabUrl('organizations')

  const list = async (visit: OperatorVisit) => {
    const { text, request, api, may } = visit
    const { organizations, columns } = text.operator
    const part = { ...readPart(request), name: '' }
    const { items, next } = await api.list<OrganizationJson>('/organizations', {
      limit: itemsOfPage,
      cursor: part.after,
    })
    return showConsole(deps.renderer, visit, {
      tab: 'organizations',
      heading: organizations.heading,
      blocks: [
        ...links(may('organizations:write') && [organizations.create, `${path}/new`, true]),
        table({
          columns: [columns.name, columns.id, columns.created],
          rows: items.map((one) => [
            linked(one.name, organizationUrl(one.id)),
            code(one.id),
            timed(text, one.created_at),
          ]),
          empty: organizations.empty,
          list: listLinks(path, part, next),
        }),
      ],
    })
  }

  const show = async (visit: OperatorVisit) => {
    const { text, api, may } = visit
    const { organizations, columns } = text.operator
    const id = organizationId(visit)
    const organization = await api.read<OrganizationJson>(`/organizations/${id}`)
    const parts = await Promise.all([
      membersBlocks(visit, id, firstPart),
      workspacesBlocks(visit, id, firstPart),
      installsBlocks(visit, id, firstPart),
      policyBlocks(visit, id),
      keySetsBlocks(visit, id, firstPart),
      scimBlocks(visit, id, firstPart),
      identityProviderBlocks(visit, id),
    ])
    return showConsole(deps.renderer, visit, {
      tab: 'organizations',
      heading: organization.name,
      blocks: [
        facts(null, [
          [columns.id, code(organization.id)],
          [columns.created, timed(text, organization.created_at)],
        ]),
        ...links(
          may('organizations:write') && [organizations.rename, `${organizationUrl(id)}/rename`],
          may('organizations:write') && [organizations.remove, `${organizationUrl(id)}/delete`],
        ),
        ...parts.flat(),
      ],
      back: { label: organizations.heading, href: path },
    })
  }

  scope.get(path, asOperator({ permission: 'organizations:read' }, list))
  scope.get(organizationPath, asOperator({ permission: 'organizations:read' }, show))
  operatorOrganizationLists(scope, deps)
}
