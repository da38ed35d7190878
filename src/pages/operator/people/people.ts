import { everything } from '../../../core/credentials/operator-permissions.ts'
import { shownEmail } from '../../../core/people/email-address.ts'
import type { UserOperatorJson } from '../../../http/operator/people/operators.ts'
import type { UserJson } from '../../../http/operator/people/users.ts'
import { codes, copied, facts, linked, links, marked, timed } from '../../rendering/forms/blocks.ts'
import type { PartOfPage } from '../../rendering/forms/blocks-page.ts'
import { queried } from '../../rendering/forms/sent-values.ts'
import { activityUrl, tabUrl } from '../console-page.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import { listTable, whether } from '../list-table.ts'
import { pickedFilter } from '../picked.ts'
import type { Tab } from '../tab.ts'
import { accessBlocks } from './access.ts'
import { personPath, personUrl, readUser } from './path.ts'

const path = tabUrl('people')

const stateOf = ({ text }: OperatorVisit, { disabled, has_signed_in }: UserJson) => {
  const { states, people } = text.operator
  if (disabled) return marked(states.disabled)
  return has_signed_in ? states.active : marked(people.neverSignedIn)
}

const list = async (visit: OperatorVisit): Promise<PartOfPage> => {
  const { text, may } = visit
  const { people, columns, states } = text.operator
  const picks = await pickedFilter(visit, (name) =>
    name === 'organization_id' ? queried(visit.request, name) : '',
  )
  const organization = picks.get('organization_id')
  return {
    heading: people.heading,
    blocks: [
      ...links(may('users:write') && [people.create, `${path}/new`, true]),
      await listTable<UserJson>(visit, {
        ...{ from: '/users', url: path },
        find: text.search.placeholder,
        choices: [
          whether(visit, 'disabled', columns.state, [states.disabled, states.active]),
          whether(visit, 'has_signed_in', people.hasSignedIn),
          ...(may(everything) ? [whether(visit, 'operator', people.operator)] : []),
        ],
        picks: organization
          ? [{ name: 'organization_id', label: columns.organization, picked: organization }]
          : [],
        columns: [
          [columns.email, (user) => linked(shownEmail(user.email), personUrl(user.id)), 'email'],
          [columns.name, (user) => user.name, 'name'],
          [columns.id, (user) => copied(user.id)],
          [columns.created, (user) => timed(text, user.created_at), 'created_at'],
          [columns.state, (user) => stateOf(visit, user)],
        ],
        empty: people.empty,
      }),
    ],
  }
}

const rightsOf = ({ text }: OperatorVisit, { permissions }: UserOperatorJson) =>
  permissions.length === 0 ? text.operator.people.notOperator : codes(text, permissions)

const show = async (visit: OperatorVisit, deps: OperatorPagesDependencies): Promise<PartOfPage> => {
  const { text, api, may } = visit
  const { people, columns, daily } = text.operator
  const { item: user, at, url } = await readUser(visit)
  const mayChange = may('users:write')
  const role = may(everything) ? await api.read<UserOperatorJson>(`${at}/operator`) : null
  return {
    heading: user.name,
    blocks: [
      facts(null, [
        [columns.email, shownEmail(user.email)],
        [columns.id, copied(user.id)],
        [columns.created, timed(text, user.created_at)],
        [columns.state, stateOf(visit, user)],
        role !== null && [people.operator, rightsOf(visit, role)],
      ]),
      ...links(mayChange && may('installs:write') && [people.endAll.submit, `${url}/end-access`]),
      ...(await accessBlocks(visit, deps, user)),
      ...links(
        mayChange && [people.change, `${url}/change`],
        may(everything) && [people.grant, `${url}/operator`],
        mayChange &&
          (user.disabled ? [people.enable, `${url}/enable`] : [people.disable, `${url}/disable`]),
        mayChange && [people.endSessions, `${url}/end-sessions`],
        may('audit:read') && [text.explained.activityOfPerson, activityUrl({ user_id: user.id })],
        mayChange && [daily.deleteUser.action, `${url}/delete`],
      ),
    ],
    back: { label: people.heading, href: path },
  }
}

export const operatorPeople = ({ page, deps }: Tab) => {
  page(path, 'users:read', list)
  page(personPath, 'users:read', (visit) => show(visit, deps))
}
