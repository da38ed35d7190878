import { languages } from '../core/language/languages.ts'
import type { UserSessionJson } from '../http/operator/user-sessions.ts'
import type { UserJson } from '../http/operator/users.ts'
import type { Action, Input } from './action.ts'
import type { Command } from './command.ts'
import { usageError } from './exit-codes.ts'
import { operatorAction } from './operator-action.ts'
import { pathSegment } from './operator-api.ts'
import type { Option } from './option.ts'
import { type Column, moment, printDone, printList, printOne, yesNo } from './output.ts'
import { secretFromEnvironment, secretFromStdin } from './secret-input.ts'
import type { Terminal } from './terminal.ts'

const columns: Column<UserJson>[] = [
  ['id', (user) => user.id],
  ['e-mail', (user) => user.email],
  ['name', (user) => user.name],
  ['verified', (user) => yesNo(user.email_verified)],
  ['disabled', (user) => yesNo(user.disabled)],
  ['has signed in', (user) => yesNo(user.has_signed_in)],
  ['language', (user) => user.locale ?? ''],
  ['created', (user) => moment(user.created_at)],
]

const passwordStdin: Record<string, Option> = {
  'password-stdin': { help: 'read the password from stdin (at a terminal: without echo)' },
}

const verified: Record<string, Option> = {
  'email-verified': { value: 'yes|no', help: 'the address is known to belong to the user' },
}

const verifiedIn = (input: Input): boolean | undefined => {
  const answer = input.choice('email-verified', ['yes', 'no'])
  return answer && answer === 'yes'
}

const tags = [...languages, 'none'] as const

const locale: Record<string, Option> = {
  locale: {
    value: tags.join('|'),
    help: 'the language of pages and mails; none: the browser decides',
  },
}

/** @returns null for none; undefined when the option is missing */
const localeIn = (input: Input): string | null | undefined => {
  const answer = input.choice('locale', tags)
  return answer === 'none' ? null : answer
}

const fromEnvironment =
  'The password may also come from LATCHKEY_PASSWORD or LATCHKEY_PASSWORD_FILE.'

const passwordIn = async (input: Input, terminal: Terminal): Promise<string | undefined> =>
  input.flag('password-stdin')
    ? secretFromStdin(terminal, 'password')
    : secretFromEnvironment(terminal, 'LATCHKEY_PASSWORD')

const create = operatorAction({
  name: 'create',
  summary: 'Create a user. A user without a password cannot sign in with one.',
  options: {
    email: { value: 'address', help: 'unique' },
    name: { value: 'text', help: 'the name that people see' },
    ...verified,
    ...locale,
    ...passwordStdin,
    invite: { help: 'send a mail with a link to set a password' },
  },
  notes: [fromEnvironment],
  run: async (api, input, terminal) => {
    const [email, name] = [input.required('email'), input.required('name')]
    const password = await passwordIn(input, terminal)
    const [emailVerified, language] = [verifiedIn(input), localeIn(input)]
    const body = {
      email,
      name,
      ...(password !== undefined && { password }),
      ...(emailVerified !== undefined && { email_verified: emailVerified }),
      ...(language !== undefined && { locale: language }),
      ...(input.flag('invite') && { invite: true }),
    }
    printOne(terminal, input, columns, await api.call<UserJson>('POST', '/users', body))
  },
})

const list = operatorAction({
  name: 'list',
  summary: 'List users, or find the one with an e-mail address.',
  options: { email: { value: 'address', help: 'only the user who has it' } },
  run: async (api, input, terminal) => {
    const users = await api.list<UserJson>('/users', { email: input.text('email') })
    printList(terminal, input, columns, users)
  },
})

const pathOf = (input: Input) => `/users/${pathSegment(input.argument('user-id'))}`

const update = operatorAction({
  name: 'update',
  summary: 'Change name, e-mail address, language or password. A new password ends all sessions.',
  positionals: ['user-id'],
  options: {
    email: { value: 'address', help: 'unique' },
    name: { value: 'text', help: 'the name that people see' },
    ...verified,
    ...locale,
    ...passwordStdin,
  },
  run: async (api, input, terminal) => {
    const password = input.flag('password-stdin')
      ? await secretFromStdin(terminal, 'password')
      : undefined
    const given = {
      email: input.text('email'),
      name: input.text('name'),
      email_verified: verifiedIn(input),
      locale: localeIn(input),
      password,
    }
    const patch = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    )
    if (Object.keys(patch).length === 0) throw usageError('there is nothing to change')
    printOne(terminal, input, columns, await api.call<UserJson>('PATCH', pathOf(input), patch))
  },
})

const switchTo = (name: string, disabled: boolean, summary: string): Action =>
  operatorAction({
    name,
    summary,
    positionals: ['user-id'],
    run: async (api, input, terminal) => {
      const user = await api.call<UserJson>('PATCH', pathOf(input), { disabled })
      printOne(terminal, input, columns, user)
    },
  })

const remove = operatorAction({
  name: 'delete',
  summary: 'Delete a user with all memberships, consents and grants.',
  positionals: ['user-id'],
  run: async (api, input, terminal) => {
    await api.call('DELETE', pathOf(input))
    printDone(terminal, input, 'Deleted.')
  },
})

const invite = operatorAction({
  name: 'invite',
  summary: 'Send a user without a password a mail with a link to set one.',
  positionals: ['user-id'],
  run: async (api, input, terminal) => {
    await api.call('POST', `${pathOf(input)}/invitation`)
    printDone(terminal, input, 'Invited.')
  },
})

const removePasskeys = operatorAction({
  name: 'remove-passkeys',
  summary: 'Remove all passkeys of a user who has lost theirs.',
  positionals: ['user-id'],
  run: async (api, input, terminal) => {
    await api.call('DELETE', `${pathOf(input)}/passkeys`)
    printDone(terminal, input, 'Removed.')
  },
})

const sessionColumns: Column<UserSessionJson>[] = [
  ['id', (session) => session.id],
  ['signed in', (session) => moment(session.created_at)],
  ['last seen', (session) => moment(session.last_seen_at)],
  ['with', (session) => session.methods.join(', ')],
  ['address', (session) => session.address ?? ''],
  ['browser', (session) => [session.browser, session.system].filter(Boolean).join(', ')],
]

const sessions = operatorAction({
  name: 'sessions',
  summary: 'List the sessions of a user.',
  positionals: ['user-id'],
  run: async (api, input, terminal) => {
    const found = await api.list<UserSessionJson>(`${pathOf(input)}/sessions`, {})
    printList(terminal, input, sessionColumns, found)
  },
})

const endSessions = operatorAction({
  name: 'end-sessions',
  summary: 'Sign a user out everywhere.',
  positionals: ['user-id'],
  run: async (api, input, terminal) => {
    await api.call('DELETE', `${pathOf(input)}/sessions`)
    printDone(terminal, input, 'Ended.')
  },
})

export const user: Command = {
  name: 'user',
  summary: 'users who can sign in',
  actions: [
    create,
    list,
    update,
    switchTo(
      'disable',
      true,
      'Disable a user; sessions end at once, grants end when they are next used.',
    ),
    switchTo('enable', false, 'Enable a disabled user.'),
    sessions,
    endSessions,
    invite,
    removePasskeys,
    remove,
  ],
}
