import { everything } from '../../core/credentials/operator-permissions.ts'
import { shownEmail } from '../../core/people/email-address.ts'
import type { OperatorTokenJson } from '../../http/operator/people/operator-tokens.ts'
import type { UserOperatorJson } from '../../http/operator/people/operators.ts'
import { endField, endIn, isoOf } from '../rendering/fields/access-end.ts'
import { code, linked, links, marked, timed, usedAt } from '../rendering/forms/blocks.ts'
import type { PartOfPage } from '../rendering/forms/blocks-page.ts'
import { firstPart, type ListPart, readPart } from '../rendering/long-list.ts'
import { tabUrl } from './console-page.ts'
import { linesField, nameField, rightsField } from './fields.ts'
import type { OperatorVisit } from './gate.ts'
import { listTable } from './list-table.ts'
import { personUrl } from './people/path.ts'
import { namedCells, pickedOrganizations } from './picked.ts'
import type { Tab } from './tab.ts'

const path = tabUrl('tokens')
const operatorsPath = `${path}/operators`

const operatorsTable = (visit: OperatorVisit, part: ListPart) => {
  const { text } = visit
  const { tokens, columns, people } = text.operator
  return listTable<UserOperatorJson>(visit, {
    from: '/operators',
    url: operatorsPath,
    part,
    id: 'operators',
    heading: tokens.operators,
    find: text.search.placeholder,
    columns: [
      [columns.email, (one) => linked(shownEmail(one.email), personUrl(one.user_id)), 'email'],
      [columns.permissions, (one) => one.permissions.join(', ')],
      [columns.created, (one) => timed(text, one.created_at), 'created_at'],
      [columns.state, (one) => (one.has_signed_in ? null : marked(people.neverSignedIn))],
    ],
    empty: tokens.noOperators,
  })
}

const tokensTable = (visit: OperatorVisit) => {
  const { text } = visit
  const { tokens, columns, all } = text.operator
  return listTable<OperatorTokenJson>(visit, {
    from: '/operator-tokens',
    url: path,
    find: columns.name,
    columns: async (items) => {
      const ids = items.flatMap((one) => one.organization_ids ?? [])
      const namesOf = await namedCells(visit, 'organization', ids)
      return [
        [columns.name, (one) => one.name, 'name'],
        [columns.hint, (one) => code(one.hint)],
        [columns.permissions, (one) => one.permissions.join(', ')],
        [columns.organization, ({ organization_ids: ids }) => (ids === null ? all : namesOf(ids))],
        [columns.lastUsed, (one) => usedAt(text, one.last_used_at)],
        [columns.created, (one) => timed(text, one.created_at), 'created_at'],
        [columns.ends, (one) => timed(text, one.expires_at)],
        [columns.action, (one) => linked(tokens.remove, `${path}/${one.id}/delete`)],
      ]
    },
    empty: tokens.empty,
  })
}

const list = async (visit: OperatorVisit): Promise<PartOfPage> => {
  const { tokens } = visit.text.operator
  return {
    heading: tokens.heading,
    lead: tokens.lead,
    blocks: [
      ...links([tokens.create, `${path}/new`, true]),
      ...(await Promise.all([tokensTable(visit), operatorsTable(visit, firstPart)])),
    ],
  }
}

/** Operator tokens, for operators with all permissions. */
export const operatorTokens = ({ page, form, confirm, deps }: Tab) => {
  const { now } = deps
  page(path, everything, list)

  page(operatorsPath, everything, async (visit) => {
    const { heading } = visit.text.operator.tokens
    const blocks = [await operatorsTable(visit, readPart(visit.request))]
    return { heading, blocks, back: { label: heading, href: path } }
  })

  form(`${path}/new`, everything, (visit) => {
    const { createToken, fields } = visit.text.operator.forms
    const { organizations, organizationsHint } = fields
    return {
      ...createToken,
      fields: [
        nameField(visit),
        rightsField(visit, []),
        linesField('organization_ids', organizations, null, { hint: organizationsHint }),
        endField(visit.text, null),
      ],
      cancelUrl: path,
      call: async ({ organization_ids: typed, ...others }) => {
        const picked = await pickedOrganizations(visit, typed)
        if ('refusal' in picked) return picked
        const expires_at = isoOf(endIn(visit.request, null, now()))
        const body = { ...others, ...picked, expires_at }
        return { method: 'POST', path: '/operator-tokens', body }
      },
      secretOf: ({ name, id, token: secret }: OperatorTokenJson & { token: string }) => ({
        ...{ name, idLabel: 'token', id, secret, backUrl: path },
      }),
    }
  })

  const readToken = async ({ api, parameter }: OperatorVisit) => {
    const id = parameter('operator_token_id')
    const tokens = await api.all<OperatorTokenJson>('/operator-tokens')
    const item = tokens.find((one) => one.id === id)
    return { item, at: `/operator-tokens/${id}`, url: path, subject: item?.name ?? id }
  }

  confirm(`${path}/:operator_token_id/delete`, everything, readToken, (_, { text }) => ({
    words: text.operator.forms.deleteToken,
  }))
}
