import type { FastifyInstance } from 'fastify'
import { everything, operatorPermissions } from '../../../core/credentials/operator-permissions.ts'
import type { UserOperatorJson } from '../../../http/operator/people/operators.ts'
import type { UserSessionJson } from '../../../http/operator/people/sessions.ts'
import type { UserJson } from '../../../http/operator/people/users.ts'
import {
  code,
  codes,
  facts,
  filterForm,
  linked,
  links,
  listLinks,
  marked,
  plain,
  table,
  timed,
} from '../../rendering/forms/blocks.ts'
import type { Field } from '../../rendering/forms/form-field.ts'
import { readPart } from '../../rendering/long-list.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { confirmPage, doneAt, formPage } from '../console-form.ts'
import { showConsole, tabUrl } from '../console-page.ts'
import { createOperatorGate, type OperatorPagesDependencies, type OperatorVisit } from '../gate.ts'
import { parameter } from '../parameter.ts'

const itemsOfPage = '25'
const path = tabUrl('people')
const one = `${path}/:user_id`
const personUrl = (id: string) => `${path}/${id}`

const readUser = ({ api, request }: OperatorVisit) =>
  api.readVersion<UserJson>(`/users/${parameter(request, 'user_id')}`)

const findForm = ({ text }: OperatorVisit, value: string): Block =>
  filterForm(
    path,
    [
      {
        kind: 'email',
        name: 'name',
        label: text.operator.people.find,
        values: [value],
        isCode: true,
      },
    ],
    text.operator.people.findSubmit,
    value !== '',
  )

const usersOf = async ({ api }: OperatorVisit, email: string, after: string | null) =>
  email === ''
    ? api.list<UserJson>('/users', { limit: itemsOfPage, cursor: after })
    : api.search<UserJson>('/users', { email })

const stateOf = ({ text }: OperatorVisit, { disabled, has_signed_in }: UserJson) => {
  const { states, people } = text.operator
  if (disabled) return marked(states.disabled)
  return has_signed_in ? plain(states.active) : marked(people.neverSignedIn)
}

const sessionsTable = async ({ text, api }: OperatorVisit, id: string): Promise<Block> => {
  const { people, columns } = text.operator
  const { items } = await api.list<UserSessionJson>(`/users/${id}/sessions`)
  return table({
    id: 'sessions',
    heading: people.sessions,
    columns: [people.device, people.methods, columns.address, columns.created, columns.lastUsed],
    rows: items.map((session) => [
      plain([session.browser, session.system].filter(Boolean).join(', ')),
      plain(session.methods.map((one) => text.sessions.methodNames[one]).join(', ')),
      plain(session.address),
      timed(text, session.created_at),
      timed(text, session.last_seen_at),
    ]),
    empty: people.noSessions,
  })
}

const lists = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const asOperator = createOperatorGate(deps)

  const list = async (visit: OperatorVisit) => {
    const { text, request, may } = visit
    const { people, columns } = text.operator
    const part = readPart(request)
    const { items, next } = await usersOf(visit, part.name, part.after)
    return showConsole(deps.renderer, visit, {
      tab: 'people',
      heading: people.heading,
      blocks: [
        ...links(may('users:write') && [people.create, `${path}/new`, true]),
        findForm(visit, part.name),
        table({
          columns: [columns.email, columns.name, columns.created, columns.state],
          rows: items.map((user) => [
            linked(user.email, personUrl(user.id)),
            plain(user.name),
            timed(text, user.created_at),
            stateOf(visit, user),
          ]),
          empty: part.name ? people.notFound : people.empty,
          list: listLinks(path, part, next),
        }),
      ],
    })
  }

  const show = async (visit: OperatorVisit) => {
    const { text, api, may } = visit
    const { people, columns } = text.operator
    const { item: user } = await readUser(visit)
    const [base, mayChange] = [personUrl(user.id), may('users:write')]
    const role = may(everything)
      ? await api.read<UserOperatorJson>(`/users/${user.id}/operator`)
      : null
    return showConsole(deps.renderer, visit, {
      tab: 'people',
      heading: user.name,
      blocks: [
        facts(null, [
          [columns.email, plain(user.email)],
          [columns.id, code(user.id)],
          [columns.created, timed(text, user.created_at)],
          [columns.state, stateOf(visit, user)],
          ...(role === null
            ? []
            : ([
                [
                  people.operator,
                  role.permissions.length === 0
                    ? plain(people.notOperator)
                    : codes(text, role.permissions),
                ],
              ] as [string, ReturnType<typeof codes>][])),
        ]),
        ...links(
          mayChange && [people.change, `${base}/change`],
          mayChange &&
            (user.disabled
              ? [people.enable, `${base}/enable`]
              : [people.disable, `${base}/disable`]),
          mayChange && [people.endSessions, `${base}/end-sessions`],
          mayChange && [text.operator.daily.deleteUser.action, `${base}/delete`],
          may(everything) && [people.grant, `${base}/operator`],
        ),
        await sessionsTable(visit, user.id),
      ],
      back: { label: people.heading, href: path },
    })
  }

  scope.get(path, asOperator({ permission: 'users:read' }, list))
  scope.get(one, asOperator({ permission: 'users:read' }, show))
}

const userFields = ({ text }: OperatorVisit, user: UserJson | null): Field[] => {
  const { fields } = text.operator.forms
  return [
    {
      name: 'email',
      kind: 'email',
      label: fields.email,
      values: [user?.email ?? ''],
      isRequired: true,
      isCode: true,
    },
    {
      name: 'name',
      kind: 'text',
      label: fields.name,
      values: [user?.name ?? ''],
      isRequired: true,
    },
    {
      name: 'password',
      kind: 'password',
      label: fields.password,
      hint: fields.passwordHint,
      isCode: true,
    },
  ]
}

const inviteField = ({ text }: OperatorVisit): Field => ({
  name: 'invite',
  kind: 'tick',
  label: text.operator.forms.fields.invite,
  hint: text.operator.forms.fields.inviteHint,
})

const changes = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  formPage(scope, deps, `${path}/new`, 'users:write', (visit) => ({
    tab: 'people',
    ...visit.text.operator.forms.createUser,
    fields: [...userFields(visit, null), inviteField(visit)],
    cancelUrl: path,
    call: (body) => ({ method: 'POST', path: '/users', body }),
    done: ({ id }: UserJson) => doneAt(visit, personUrl(id), 'created')(),
  }))

  formPage(scope, deps, `${one}/change`, 'users:write', async (visit) => {
    const { item, etag } = await readUser(visit)
    return {
      tab: 'people',
      subject: item.name,
      ...visit.text.operator.forms.changeUser,
      fields: userFields(visit, item),
      cancelUrl: personUrl(item.id),
      etag,
      call: (body) => ({ method: 'PATCH', path: `/users/${item.id}`, body }),
      done: doneAt(visit, personUrl(item.id), 'saved'),
    }
  })

  confirmPage(scope, deps, `${one}/delete`, 'users:write', async (visit) => {
    const { item, etag } = await readUser(visit)
    const { heading, lead, submit } = visit.text.operator.daily.deleteUser
    return {
      tab: 'people',
      words: { heading, lead, submit },
      subject: `${item.name} (${item.email})`,
      cancelUrl: personUrl(item.id),
      etag,
      call: () => ({ method: 'DELETE', path: `/users/${item.id}` }),
      done: doneAt(visit, path, 'deleted'),
    }
  })

  const actions = {
    disable: {
      words: 'disableUser',
      method: 'PATCH',
      at: '',
      body: { disabled: true },
      done: 'saved',
    },
    enable: {
      words: 'enableUser',
      method: 'PATCH',
      at: '',
      body: { disabled: false },
      done: 'saved',
    },
    'end-sessions': {
      words: 'endSessions',
      method: 'DELETE',
      at: '/sessions',
      body: undefined,
      done: 'ended',
    },
  } as const
  for (const [name, { words, method, at, body, done }] of Object.entries(actions))
    confirmPage(scope, deps, `${one}/${name}`, 'users:write', async (visit) => {
      const { item } = await readUser(visit)
      return {
        tab: 'people',
        words: visit.text.operator.forms[words],
        subject: item.name,
        isHarmless: name === 'enable',
        cancelUrl: personUrl(item.id),
        call: () => ({ method, path: `/users/${item.id}${at}`, body }),
        done: doneAt(visit, personUrl(item.id), done),
      }
    })
}

/** What operators and their tokens may do, as boxes. */
export const rightsField = ({ text }: OperatorVisit, values: readonly string[]): Field => ({
  name: 'permissions',
  kind: 'ticks',
  label: text.operator.forms.fields.permissions,
  values,
  options: [
    { value: everything, label: text.operator.forms.fields.allRights, isWords: true },
    ...operatorPermissions.map((name) => ({ value: name, label: name })),
  ],
  isCode: true,
})

const role = (scope: FastifyInstance, deps: OperatorPagesDependencies) =>
  formPage(scope, deps, `${one}/operator`, everything, async (visit) => {
    const { item: user } = await readUser(visit)
    const at = `/users/${user.id}/operator`
    const { item, etag } = await visit.api.readVersion<UserOperatorJson>(at)
    return {
      tab: 'people',
      subject: user.name,
      ...visit.text.operator.forms.grantOperator,
      fields: [
        {
          ...rightsField(visit, item.permissions),
          hint: user.has_signed_in ? null : visit.text.operator.people.neverSignedInHint,
        },
      ],
      cancelUrl: personUrl(user.id),
      etag,
      call: (body) => ({ method: 'PUT', path: at, body }),
      done: doneAt(visit, personUrl(user.id), 'saved'),
    }
  })

/** Users, their sessions and their role as operators. */
export const operatorPeople = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  lists(scope, deps)
  changes(scope, deps)
  role(scope, deps)
}
