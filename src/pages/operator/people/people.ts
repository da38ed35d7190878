import { everything } from '../../../core/credentials/operator-permissions.ts'
import { shownEmail } from '../../../core/people/email-address.ts'
import type { UserOperatorJson } from '../../../http/operator/people/operators.ts'
import type { UserSessionJson } from '../../../http/operator/people/sessions.ts'
import type { UserJson } from '../../../http/operator/people/users.ts'
import {
  codes,
  copied,
  facts,
  filterForm,
  linked,
  links,
  listLinks,
  marked,
  plain,
  timed,
} from '../../rendering/forms/blocks.ts'
import { readPart } from '../../rendering/long-list.ts'
import type { Block, TableBlock } from '../../rendering/view-models/blocks.ts'
import { type ConsolePage, tabUrl } from '../console-page.ts'
import { codeField } from '../fields.ts'
import type { OperatorVisit } from '../gate.ts'
import { itemTable } from '../list-table.ts'
import type { Tab } from '../tab.ts'

const path = tabUrl('people')
export const personPath = `${path}/:user_id`
export const personUrl = (id: string) => `${path}/${id}`

/** @throws NotFound */
export const readUser = async ({ api, parameter }: OperatorVisit) => {
  const read = await api.readVersion<UserJson>(`/users/${parameter('user_id')}`)
  return { ...read, url: personUrl(read.item.id) }
}

const findForm = ({ text }: OperatorVisit, value: string): Block => {
  const { find, findSubmit } = text.operator.people
  const field = codeField('name', find, value, { kind: 'email' })
  return filterForm(path, [field], findSubmit, value !== '')
}

const stateOf = ({ text }: OperatorVisit, { disabled, has_signed_in }: UserJson) => {
  const { states, people } = text.operator
  if (disabled) return marked(states.disabled)
  return has_signed_in ? plain(states.active) : marked(people.neverSignedIn)
}

const list = async (visit: OperatorVisit): Promise<ConsolePage> => {
  const { text, request, api, may } = visit
  const { people, columns } = text.operator
  const part = readPart(request)
  const { items, next } = part.name
    ? await api.search<UserJson>('/users', { email: part.name })
    : await api.list<UserJson>('/users', { limit: '25', cursor: part.after })
  return {
    heading: people.heading,
    blocks: [
      ...links(may('users:write') && [people.create, `${path}/new`, true]),
      findForm(visit, part.name),
      itemTable(
        items,
        [
          [columns.email, (user) => linked(shownEmail(user.email), personUrl(user.id))],
          [columns.name, (user) => plain(user.name)],
          [columns.created, (user) => timed(text, user.created_at)],
          [columns.state, (user) => stateOf(visit, user)],
        ],
        {
          empty: part.name ? people.notFound : people.empty,
          list: listLinks(path, part, next),
        },
      ),
    ],
  }
}

const sessionsTable = async ({ text, api }: OperatorVisit, at: string): Promise<TableBlock> => {
  const { people, columns } = text.operator
  const { methodNames } = text.sessions
  const { items } = await api.list<UserSessionJson>(`${at}/sessions`)
  const joined = (words: readonly (string | null)[]) => plain(words.filter(Boolean).join(', '))
  return itemTable(
    items,
    [
      [people.device, ({ browser, system }) => joined([browser, system])],
      [people.methods, ({ methods }) => joined(methods.map((one) => methodNames[one]))],
      [columns.address, (session) => plain(session.address)],
      [columns.created, (session) => timed(text, session.created_at)],
      [columns.lastUsed, (session) => timed(text, session.last_seen_at)],
    ],
    { id: 'sessions', heading: people.sessions, empty: people.noSessions },
  )
}

const rightsOf = ({ text }: OperatorVisit, { permissions }: UserOperatorJson) =>
  permissions.length === 0 ? plain(text.operator.people.notOperator) : codes(text, permissions)

const show = async (visit: OperatorVisit): Promise<ConsolePage> => {
  const { text, api, may } = visit
  const { people, columns, daily } = text.operator
  const { item: user, at, url } = await readUser(visit)
  const mayChange = may('users:write')
  const role = may(everything) ? await api.read<UserOperatorJson>(`${at}/operator`) : null
  return {
    heading: user.name,
    blocks: [
      facts(null, [
        [columns.email, plain(shownEmail(user.email))],
        [columns.id, copied(user.id)],
        [columns.created, timed(text, user.created_at)],
        [columns.state, stateOf(visit, user)],
        role !== null && [people.operator, rightsOf(visit, role)],
      ]),
      ...links(
        mayChange && [people.change, `${url}/change`],
        mayChange &&
          (user.disabled ? [people.enable, `${url}/enable`] : [people.disable, `${url}/disable`]),
        mayChange && [people.endSessions, `${url}/end-sessions`],
        mayChange && [daily.deleteUser.action, `${url}/delete`],
        may(everything) && [people.grant, `${url}/operator`],
      ),
      await sessionsTable(visit, at),
    ],
    back: { label: people.heading, href: path },
  }
}

/** The list of users, and each user with the sessions. */
export const operatorPeople = ({ page }: Tab) => {
  page(path, 'users:read', list)
  page(personPath, 'users:read', show)
}
