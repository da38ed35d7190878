// The key sets of an organization.
import type { FastifyInstance } from 'fastify'
import type { Block } from '../rendering/operator-view-models.ts'
import { code, linked, plain, table, timed } from './blocks.ts'
import { confirmPage, doneAt } from './console-form.ts'
import type { OperatorPagesDependencies, OperatorVisit } from './operator-gate.ts'
import { organizationPath, organizationUrl, readOrganization } from './organization-path.ts'
import { parameter } from './parameter.ts'

interface KeySetJson {
  id: string
  client_id: string
  name: string
  interface: 'current' | 'legacy'
  permissions: string[]
  created_at: string
}

const mostShown = '50'

export const keySetsBlocks = async (
  { text, api, may }: OperatorVisit,
  id: string,
): Promise<Block[]> => {
  if (!may('key_sets:read')) return []
  const { columns, daily, interfaces } = text.operator
  const { items } = await api.list<KeySetJson>(`/organizations/${id}/key-sets`, {
    limit: mostShown,
  })
  const mayChange = may('key_sets:write')
  return [
    table({
      id: 'key-sets',
      heading: daily.keySets.heading,
      columns: [
        columns.name,
        columns.id,
        columns.interface,
        columns.permissions,
        columns.created,
        ...(mayChange ? [columns.action] : []),
      ],
      rows: items.map((one) => [
        plain(one.name),
        code(one.client_id),
        plain(interfaces[one.interface]),
        plain(one.permissions.join(', ')),
        timed(text, one.created_at),
        ...(mayChange
          ? [linked(daily.keySets.remove, `${organizationUrl(id)}/key-sets/${one.id}/delete`)]
          : []),
      ]),
      empty: daily.keySets.empty,
    }),
  ]
}

export const operatorKeySets = (scope: FastifyInstance, deps: OperatorPagesDependencies) =>
  confirmPage(
    scope,
    deps,
    `${organizationPath}/key-sets/:key_set_id/delete`,
    'key_sets:write',
    async (visit) => {
      const { id } = (await readOrganization(visit)).item
      const at = `/organizations/${id}/key-sets/${parameter(visit.request, 'key_set_id')}`
      const { item, etag } = await visit.api.readVersion<KeySetJson>(at)
      return {
        tab: 'organizations',
        words: visit.text.operator.daily.keySets.removeForm,
        subject: item.name,
        cancelUrl: organizationUrl(id),
        etag,
        call: () => ({ method: 'DELETE', path: at }),
        done: doneAt(visit, organizationUrl(id), 'deleted'),
      }
    },
  )
