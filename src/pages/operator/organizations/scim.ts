// The SCIM tokens of an organization.
import type { FastifyInstance } from 'fastify'
import { NotFound } from '../../../core/language/service-errors.ts'
import { groupKinds } from '../../../core/provisioning/scim-tokens.ts'
import type {
  CreatedScimTokenJson,
  ScimTokenJson,
} from '../../../http/operator/organizations/scim-tokens.ts'
import type { Text } from '../../../words/text.ts'
import {
  code,
  linked,
  links,
  listLinks,
  plain,
  table,
  timed,
} from '../../rendering/forms/blocks.ts'
import type { ListPart } from '../../rendering/long-list.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { confirmPage, doneAt, formPage } from '../console-form.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import { parameter } from '../parameter.ts'
import { organizationPath, organizationUrl, readOrganization } from './path.ts'

const path = `${organizationPath}/scim-tokens`
const itemsOfPage = '50'

const kindWords = ({ operator }: Text): Record<ScimTokenJson['groups'], string> => {
  const { workspaces, admin } = operator.daily.scim.groupKinds
  return { workspaces, roles: admin }
}

export const scimBlocks = async (
  visit: OperatorVisit,
  id: string,
  part: ListPart,
): Promise<Block[]> => {
  const { text, api, may } = visit
  if (!may('users:read')) return []
  const { columns, daily } = text.operator
  const { scim } = daily
  const [url, mayChange] = [`${organizationUrl(id)}/scim-tokens`, may('users:write')]
  const { items, next } = await api.list<ScimTokenJson>(`/organizations/${id}/scim-tokens`, {
    limit: itemsOfPage,
    cursor: part.after,
  })
  return [
    table({
      id: 'scim-tokens',
      heading: scim.heading,
      hint: scim.hint,
      columns: [
        columns.name,
        scim.groups,
        columns.hint,
        columns.created,
        columns.lastUsed,
        ...(mayChange ? [columns.action] : []),
      ],
      rows: items.map((one) => [
        plain(one.name),
        plain(kindWords(text)[one.groups]),
        code(one.hint),
        timed(text, one.created_at),
        timed(text, one.last_used_at),
        ...(mayChange ? [linked(scim.remove, `${url}/${one.id}/delete`)] : []),
      ]),
      empty: scim.empty,
      list: listLinks(url, part, next),
    }),
    ...links(mayChange && may('organizations:write') && [scim.create, `${url}/new`]),
  ]
}

export const operatorScim = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  formPage(scope, deps, `${path}/new`, 'users:write', async (visit) => {
    if (!visit.may('organizations:write')) throw new NotFound('page')
    const { item: organization } = await readOrganization(visit)
    const { forms, daily } = visit.text.operator
    const kinds = kindWords(visit.text)
    const back = organizationUrl(organization.id)
    return {
      tab: 'organizations',
      subject: organization.name,
      ...daily.scim.createForm,
      fields: [
        { name: 'name', kind: 'text', label: forms.fields.name, isRequired: true },
        {
          name: 'groups',
          kind: 'choice',
          label: daily.scim.groups,
          values: ['workspaces'],
          options: groupKinds.map((value) => ({ value, label: kinds[value] })),
        },
      ],
      cancelUrl: back,
      call: (body) => ({
        method: 'POST',
        path: `/organizations/${organization.id}/scim-tokens`,
        body,
      }),
      secretOf: ({ id, name, token }: CreatedScimTokenJson) => ({
        ...{ name, idLabel: 'token', id, secret: token, backUrl: back },
      }),
      done: doneAt(visit, back, 'created'),
    }
  })

  confirmPage(scope, deps, `${path}/:scim_token_id/delete`, 'users:write', async (visit) => {
    const { item: organization } = await readOrganization(visit)
    const id = parameter(visit.request, 'scim_token_id')
    const tokensPath = `/organizations/${organization.id}/scim-tokens`
    const found = await visit.api.findListed<ScimTokenJson>(tokensPath, id)
    if (!found) throw new NotFound('SCIM token')
    return {
      tab: 'organizations',
      words: visit.text.operator.daily.scim.removeForm,
      subject: `${found.name} ${found.hint}`,
      cancelUrl: organizationUrl(organization.id),
      call: () => ({ method: 'DELETE', path: `${tokensPath}/${found.id}` }),
      done: doneAt(visit, organizationUrl(organization.id), 'deleted'),
    }
  })
}
