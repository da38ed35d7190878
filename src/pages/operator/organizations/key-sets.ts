// The key sets of an organization.
import { workloadName } from '../../../core/clients/workloads.ts'
import type { KeySetJson } from '../../../http/operator/organizations/key-sets.ts'
import { code, codes, copied, facts, linked, links, timed } from '../../rendering/forms/blocks.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { ofInterface, secretsTable } from '../apps/apps.ts'
import { activityUrl } from '../console-page.ts'
import type { OperatorVisit } from '../gate.ts'
import { listTable } from '../list-table.ts'
import type { Tab } from '../tab.ts'
import { organizationPath, organizationUrl, readOrganization } from './path.ts'
import { workspacesCell } from './workspace-choice.ts'

export const keySetPath = `${organizationPath}/key-sets/:key_set_id`

/** `at`: its path in the Operator API. `url`: the address of its page, below `back`. @throws NotFound */
export const readKeySet = async (visit: OperatorVisit) => {
  const { item: organization, at, url: back } = await readOrganization(visit)
  const place = `key-sets/${visit.parameter('key_set_id')}`
  const read = await visit.api.readVersion<KeySetJson>(`${at}/${place}`)
  const { name: subject } = read.item
  return { ...read, organization, subject, back: `${back}/key-sets`, url: `${back}/${place}` }
}

export const keySetsBlocks = async (visit: OperatorVisit, id: string): Promise<Block[]> => {
  const { text, may } = visit
  if (!may('key_sets:read')) return []
  const { columns, daily, interfaces } = text.operator
  const url = `${organizationUrl(id)}/key-sets`
  return [
    await listTable<KeySetJson>(visit, {
      from: `/organizations/${id}/key-sets`,
      url,
      find: text.search.named,
      choices: [ofInterface(visit)],
      id: 'key-sets',
      heading: daily.keySets.heading,
      columns: [
        [columns.name, (one) => linked(one.name, `${url}/${one.id}`), 'name'],
        [columns.id, (one) => copied(one.client_id)],
        [columns.interface, (one) => interfaces[one.interface]],
        [columns.permissions, (one) => one.permissions.length],
        [columns.where, (one) => workspacesCell(visit, one.workspace_ids)],
        [columns.created, (one) => timed(text, one.created_at), 'created_at'],
      ],
      empty: daily.keySets.empty,
    }),
    ...links(may('key_sets:write') && [text.organization.keys.create, `${url}/new`]),
  ]
}

export const placesOf = async ({ text, api }: OperatorVisit, ids: string[] | null) => {
  if (ids === null) return text.operator.organizations.everywhere
  const found = await api.each<{ name: string }>('/workspaces', ids)
  return ids.length === 0
    ? text.form.none
    : ids.map((id) => {
        const workspace = found.get(id)
        return workspace ? workspace.name : code(id)
      })
}

export const operatorKeySets = ({ page, confirm }: Tab) => {
  page(keySetPath, 'key_sets:read', async (visit) => {
    const { text, may } = visit
    const { columns, interfaces, daily } = text.operator
    const { keys, keyWorkloads } = text.organization
    const { organization, item, back, url } = await readKeySet(visit)
    const mayChange = may('key_sets:write')
    const isCurrent = item.interface === 'current'
    const isTrusting = item.workloads.length > 0
    return {
      heading: item.name,
      subject: organization.name,
      blocks: [
        facts(null, [
          [columns.description, item.description ?? text.form.none],
          [keys.ids[item.interface], copied(item.client_id)],
          [columns.interface, interfaces[item.interface]],
          [columns.created, timed(text, item.created_at)],
          [columns.permissions, codes(text, item.permissions)],
          [columns.where, await placesOf(visit, item.workspace_ids)],
          isCurrent && [keyWorkloads.title, codes(text, item.workloads.map(workloadName))],
        ]),
        ...links(
          mayChange && [keys.edit, `${url}/change`],
          mayChange && isCurrent && [keyWorkloads.title, `${url}/workloads`],
          mayChange && [keys.rotate, `${url}/rotate`],
          may('audit:read') && [
            text.explained.activityOfKeySet,
            activityUrl({ client_id: item.client_id }),
          ],
          mayChange && [daily.keySets.remove, `${url}/delete`],
        ),
        secretsTable(visit, item.secrets, isTrusting ? keys.noSecretNeeded : keys.noSecret),
      ],
      back: { label: organization.name, href: back },
    }
  })

  confirm(`${keySetPath}/delete`, 'key_sets:write', readKeySet, ({ back }, { text }) => ({
    words: text.operator.daily.keySets.removeForm,
    next: back,
  }))
}
