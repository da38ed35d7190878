// The key sets of an organization.
import type { FastifyInstance } from 'fastify'
import { workloadName } from '../../../core/clients/workloads.ts'
import type { KeySetJson } from '../../../http/operator/organizations/key-sets.ts'
import {
  code,
  codes,
  facts,
  linked,
  links,
  listLinks,
  plain,
  table,
  timed,
} from '../../rendering/forms/blocks.ts'
import type { ListPart } from '../../rendering/long-list.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { confirmPage, doneAt } from '../console-form.ts'
import { showConsole } from '../console-page.ts'
import { createOperatorGate, type OperatorPagesDependencies, type OperatorVisit } from '../gate.ts'
import { keySetPath, readKeySet } from './key-set-path.ts'
import { organizationUrl } from './path.ts'

const itemsOfPage = '50'

export const keySetsBlocks = async (
  { text, api, may }: OperatorVisit,
  id: string,
  part: ListPart,
): Promise<Block[]> => {
  if (!may('key_sets:read')) return []
  const { columns, daily, interfaces } = text.operator
  const { items, next } = await api.list<KeySetJson>(`/organizations/${id}/key-sets`, {
    limit: itemsOfPage,
    cursor: part.after,
  })
  return [
    table({
      id: 'key-sets',
      heading: daily.keySets.heading,
      columns: [
        columns.name,
        columns.id,
        columns.interface,
        columns.permissions,
        columns.where,
        columns.created,
      ],
      rows: items.map((one) => [
        linked(one.name, `${organizationUrl(id)}/key-sets/${one.id}`),
        code(one.client_id),
        plain(interfaces[one.interface]),
        plain(one.permissions.join(', ')),
        plain(
          one.workspace_ids === null
            ? text.operator.organizations.everywhere
            : one.workspace_ids.length,
        ),
        timed(text, one.created_at),
      ]),
      empty: daily.keySets.empty,
      list: listLinks(`${organizationUrl(id)}/key-sets`, part, next),
    }),
    ...links(
      may('key_sets:write') && [
        text.organization.keys.create,
        `${organizationUrl(id)}/key-sets/new`,
      ],
    ),
  ]
}

/** The names of workspaces by their ids, as cells. */
const placesOf = async ({ text, api }: OperatorVisit, ids: string[] | null) => {
  if (ids === null) return plain(text.operator.organizations.everywhere)
  const found = await api.each<{ name: string }>('/workspaces', ids)
  return ids.length === 0
    ? plain(text.form.none)
    : ids.map((id) => {
        const workspace = found.get(id)
        return workspace ? plain(workspace.name) : code(id)
      })
}

const secretsTable = ({ text }: OperatorVisit, { secrets, workloads }: KeySetJson): Block => {
  const { columns, apps } = text.operator
  const { keys } = text.organization
  return table({
    id: 'secrets',
    heading: apps.secrets,
    columns: [columns.hint, columns.created, columns.lastUsed, columns.ends],
    rows: secrets.map((one) => [
      code(one.hint),
      timed(text, one.created_at),
      timed(text, one.last_used_at),
      timed(text, one.expires_at),
    ]),
    empty: workloads.length > 0 ? keys.noSecretNeeded : keys.noSecret,
  })
}

export const operatorKeySets = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const show = async (visit: OperatorVisit) => {
    const { text, may } = visit
    const { columns, interfaces, organizations } = text.operator
    const { keys, keyWorkloads } = text.organization
    const { organization, item, url } = await readKeySet(visit)
    const mayChange = may('key_sets:write')
    return showConsole(deps.renderer, visit, {
      tab: 'organizations',
      heading: item.name,
      subject: organization.name,
      blocks: [
        facts(null, [
          [columns.description, plain(item.description ?? text.form.none)],
          [keys.ids[item.interface], code(item.client_id)],
          [columns.interface, plain(interfaces[item.interface])],
          [columns.created, timed(text, item.created_at)],
          [columns.permissions, codes(text, item.permissions)],
          [columns.where, await placesOf(visit, item.workspace_ids)],
          ...(item.interface === 'current'
            ? [[keyWorkloads.title, codes(text, item.workloads.map(workloadName))] as const].map(
                ([label, cells]) => [label, cells] as [string, typeof cells],
              )
            : []),
        ]),
        ...links(
          mayChange && [keys.edit, `${url}/change`],
          mayChange && item.interface === 'current' && [keyWorkloads.title, `${url}/workloads`],
          mayChange && [keys.rotate, `${url}/rotate`],
          mayChange && [text.operator.daily.keySets.remove, `${url}/delete`],
        ),
        secretsTable(visit, item),
      ],
      back: { label: organizations.back, href: organizationUrl(organization.id) },
    })
  }
  scope.get(keySetPath, createOperatorGate(deps)({ permission: 'key_sets:read' }, show))

  confirmPage(scope, deps, `${keySetPath}/delete`, 'key_sets:write', async (visit) => {
    const { organization, item, etag, at, url } = await readKeySet(visit)
    return {
      tab: 'organizations',
      words: visit.text.operator.daily.keySets.removeForm,
      subject: item.name,
      cancelUrl: url,
      etag,
      call: () => ({ method: 'DELETE', path: at }),
      done: doneAt(visit, organizationUrl(organization.id), 'deleted'),
    }
  })
}
