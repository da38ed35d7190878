// The SCIM tokens of an organization.
import { found, NotFound } from '../../../core/language/service-errors.ts'
import { groupKinds } from '../../../core/provisioning/scim-tokens.ts'
import type {
  CreatedScimTokenJson,
  ScimTokenJson,
} from '../../../http/operator/organizations/scim-tokens.ts'
import type { Text } from '../../../words/text.ts'
import { code, linked, links, timed, usedAt } from '../../rendering/forms/blocks.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { choiceField, nameField } from '../fields.ts'
import type { OperatorVisit } from '../gate.ts'
import { listTable } from '../list-table.ts'
import type { Tab } from '../tab.ts'
import { organizationPath, organizationUrl, readOrganization } from './path.ts'

const path = `${organizationPath}/scim-tokens`

const kindWords = ({ operator }: Text): Record<ScimTokenJson['groups'], string> => {
  const { workspaces, admin, groups } = operator.daily.scim.groupKinds
  return { workspaces, roles: admin, groups }
}

export const scimBlocks = async (visit: OperatorVisit, id: string): Promise<Block[]> => {
  const { text, may } = visit
  if (!may('users:read')) return []
  const { columns, daily } = text.operator
  const { scim } = daily
  const [url, mayChange] = [`${organizationUrl(id)}/scim-tokens`, may('users:write')]
  return [
    await listTable<ScimTokenJson>(visit, {
      from: `/organizations/${id}/scim-tokens`,
      url: `${organizationUrl(id)}/sign-in`,
      find: columns.name,
      id: 'scim-tokens',
      heading: scim.heading,
      hint: scim.hint,
      columns: [
        [columns.name, (one) => one.name, 'name'],
        [scim.groups, (one) => kindWords(text)[one.groups]],
        [columns.hint, (one) => code(one.hint)],
        [columns.created, (one) => timed(text, one.created_at), 'created_at'],
        [columns.lastUsed, (one) => usedAt(text, one.last_used_at)],
        mayChange && [columns.action, (one) => linked(scim.remove, `${url}/${one.id}/delete`)],
      ],
      empty: scim.empty,
    }),
    ...links(mayChange && may('organizations:write') && [scim.create, `${url}/new`]),
  ]
}

const readScimToken = async (visit: OperatorVisit) => {
  const { at: place, url } = await readOrganization(visit)
  const id = visit.parameter('scim_token_id')
  const tokens = await visit.api.all<ScimTokenJson>(`${place}/scim-tokens`)
  const item = found(tokens.find((one) => one.id === id) ?? null, 'SCIM token')
  const at = `${place}/scim-tokens/${id}`
  return { item, at, url: `${url}/sign-in`, subject: `${item.name} ${item.hint}` }
}

export const operatorScim = ({ change, confirm }: Tab) => {
  change(`${path}/new`, 'users:write', readOrganization, ({ at, url }, visit) => {
    if (!visit.may('organizations:write')) throw new NotFound('page')
    const { groups, createForm } = visit.text.operator.daily.scim
    return {
      ...createForm,
      fields: [
        nameField(visit),
        choiceField('groups', groups, 'workspaces', groupKinds, kindWords(visit.text)),
      ],
      cancelUrl: `${url}/sign-in`,
      etag: undefined,
      call: (body) => ({ method: 'POST', path: `${at}/scim-tokens`, body }),
      secretOf: ({ id, name, token }: CreatedScimTokenJson) => ({
        ...{ name, idLabel: 'token', id, secret: token, backUrl: `${url}/sign-in` },
      }),
    }
  })

  confirm(`${path}/:scim_token_id/delete`, 'users:write', readScimToken, (_, { text }) => ({
    words: text.operator.daily.scim.removeForm,
  }))
}
