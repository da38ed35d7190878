import type { FastifyInstance } from 'fastify'
import { everything } from '../../core/credentials/operator-permissions.ts'
import type { OperatorTokenJson } from '../../http/operator/people/operator-tokens.ts'
import type { UserOperatorJson } from '../../http/operator/people/operators.ts'
import {
  code,
  linked,
  links,
  listLinks,
  marked,
  plain,
  table,
  timed,
} from '../rendering/forms/blocks.ts'
import { firstPart, type ListPart, readPart } from '../rendering/long-list.ts'
import type { Block } from '../rendering/view-models/blocks.ts'
import { confirmPage, doneAt, formPage } from './console-form.ts'
import { showConsole, tabUrl } from './console-page.ts'
import { createOperatorGate, type OperatorPagesDependencies, type OperatorVisit } from './gate.ts'
import { parameter } from './parameter.ts'
import { rightsField } from './people/people.ts'

const path = tabUrl('tokens')
const operatorsPath = `${path}/operators`
const itemsOfPage = '25'

const operatorsTable = async ({ text, api }: OperatorVisit, part: ListPart): Promise<Block> => {
  const { tokens, columns, people } = text.operator
  const query = { limit: itemsOfPage, cursor: part.after }
  const { items, next } = await api.list<UserOperatorJson>('/operators', query)
  return table({
    id: 'operators',
    heading: tokens.operators,
    columns: [columns.email, columns.permissions, columns.created, columns.state],
    rows: items.map((one) => [
      linked(one.email, `${tabUrl('people')}/${one.user_id}`),
      plain(one.permissions.join(', ')),
      timed(text, one.created_at),
      one.has_signed_in ? plain(null) : marked(people.neverSignedIn),
    ]),
    empty: tokens.noOperators,
    list: listLinks(operatorsPath, part, next),
  })
}

const list = async (visit: OperatorVisit, deps: OperatorPagesDependencies) => {
  const { text, request, api } = visit
  const { tokens, columns, all } = text.operator
  const part = { ...readPart(request), name: '' }
  const [{ items, next }, operators] = await Promise.all([
    api.list<OperatorTokenJson>('/operator-tokens', { limit: itemsOfPage, cursor: part.after }),
    operatorsTable(visit, firstPart),
  ])
  return showConsole(deps.renderer, visit, {
    tab: 'tokens',
    heading: tokens.heading,
    lead: tokens.lead,
    blocks: [
      ...links([tokens.create, `${path}/new`, true]),
      table({
        columns: [
          ...[columns.name, columns.hint, columns.permissions, columns.organization],
          ...[columns.lastUsed, columns.ends, columns.action],
        ],
        rows: items.map((one) => [
          plain(one.name),
          code(one.hint),
          plain(one.permissions.join(', ')),
          plain(one.organization_ids?.join(', ') ?? all),
          timed(text, one.last_used_at),
          timed(text, one.expires_at),
          linked(tokens.remove, `${path}/${one.id}/delete`),
        ]),
        empty: tokens.empty,
        list: listLinks(path, part, next),
      }),
      operators,
    ],
  })
}

/** Operator tokens, for operators with all permissions. */
export const operatorTokens = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const asOperator = createOperatorGate(deps)
  scope.get(
    path,
    asOperator({ permission: everything }, (visit) => list(visit, deps)),
  )
  scope.get(
    operatorsPath,
    asOperator({ permission: everything }, async (visit) => {
      const { tokens } = visit.text.operator
      return showConsole(deps.renderer, visit, {
        tab: 'tokens',
        heading: tokens.heading,
        blocks: [await operatorsTable(visit, { ...readPart(visit.request), name: '' })],
        back: { label: tokens.heading, href: path },
      })
    }),
  )

  formPage(scope, deps, `${path}/new`, everything, (visit) => {
    const { createToken, fields } = visit.text.operator.forms
    return {
      tab: 'tokens',
      ...createToken,
      fields: [
        { name: 'name', kind: 'text', label: fields.name, isRequired: true },
        rightsField(visit, []),
        {
          name: 'organization_ids',
          kind: 'area',
          label: fields.organizations,
          hint: fields.organizationsHint,
          isCode: true,
        },
        {
          name: 'expires_at',
          kind: 'text',
          label: fields.expiresAt,
          hint: fields.expiresHint,
          whenEmpty: null,
          isCode: true,
        },
      ],
      cancelUrl: path,
      call: ({ organization_ids: ids, ...body }) => ({
        method: 'POST',
        path: '/operator-tokens',
        body: { ...body, organization_ids: Array.isArray(ids) && ids.length > 0 ? ids : null },
      }),
      secretOf: (made: OperatorTokenJson & { token: string }) => ({
        name: made.name,
        idLabel: 'token',
        id: made.id,
        secret: made.token,
        backUrl: path,
      }),
      done: doneAt(visit, path, 'created'),
    }
  })

  confirmPage(scope, deps, `${path}/:operator_token_id/delete`, everything, async (visit) => {
    const id = parameter(visit.request, 'operator_token_id')
    const found = await visit.api.findListed<OperatorTokenJson>('/operator-tokens', id)
    return {
      tab: 'tokens',
      words: visit.text.operator.forms.deleteToken,
      subject: found?.name ?? id,
      cancelUrl: path,
      call: () => ({ method: 'DELETE', path: `/operator-tokens/${id}` }),
      done: doneAt(visit, path, 'deleted'),
    }
  })
}
