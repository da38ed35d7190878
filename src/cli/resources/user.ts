import { languages } from '../../core/language/languages.ts'
import type { UserSessionJson } from '../../http/operator/people/sessions.ts'
import type { UserJson } from '../../http/operator/people/users.ts'
import { apiAction, done } from '../api-action.ts'
import type { Command } from '../command.ts'
import { type Column, columnsOf, moment } from '../output.ts'
import { choosing, resource } from '../resource.ts'
import { secretFromEnvironment, secretFromStdin } from '../secret-input.ts'
import { choice, flag, required, type Setting, type Settings, text, yesOrNo } from '../setting.ts'

const columns: Column<UserJson>[] = [
  ...columnsOf<UserJson>('id', ['email', 'e-mail'], 'name', ['email_verified', 'verified']),
  ...columnsOf<UserJson>('disabled', 'has_signed_in'),
  ['language', (user) => user.locale ?? ''],
  ['created', (user) => moment(user.created_at)],
]

const email = text('email <address>', 'unique')
const name = text('name <text>', 'the name that people see')

const password: Setting = {
  ...flag('password-stdin', 'read the password from stdin (at a terminal: without echo)'),
  read: (input, terminal) =>
    input.flag('password-stdin') ? secretFromStdin(terminal, 'password') : undefined,
}

const firstPassword: Setting = {
  ...password,
  read: async (input, terminal) =>
    (await password.read(input, terminal)) ?? secretFromEnvironment(terminal, 'LATCHKEY_PASSWORD'),
}

const tags = [...languages, 'none'] as const

const details: Settings = {
  email_verified: yesOrNo('email-verified', 'the address is known to belong to the user'),
  locale: {
    ...choice('locale', tags, 'the language of pages and mails; none: the browser decides'),
    read: (input) => {
      const answer = input.choice('locale', tags)
      return answer === 'none' ? null : answer
    },
  },
}

const sessionColumns: Column<UserSessionJson>[] = [
  ...columnsOf<UserSessionJson>('id', ['created_at', 'signed in'], 'last_seen_at'),
  ['with', (session) => session.methods.join(', ')],
  ['address', (session) => session.address ?? ''],
  ['browser', (session) => [session.browser, session.system].filter(Boolean).join(', ')],
]

const { create, list, update, switches, remove } = resource('/users/{user-id}', columns)
const sessions = resource('/users/{user-id}/sessions/{id}', sessionColumns)

export const user: Command = {
  name: 'user',
  summary: 'users who can sign in',
  actions: [
    create('Create a user. A user without a password cannot sign in with one.', {
      settings: {
        email: required(email),
        name: required(name),
        ...details,
        password: firstPassword,
        invite: flag('invite', 'send a mail with a link to set a password'),
      },
      notes: ['The password may also come from LATCHKEY_PASSWORD or LATCHKEY_PASSWORD_FILE.'],
    }),
    list('List users, or find the one with an e-mail address.', 'list', {
      email: text('email <address>', 'only the user who has it'),
      ...choosing,
    }),
    update('Change name, e-mail address, language or password. A new password ends all sessions.', {
      email,
      name,
      ...details,
      password,
    }),
    ...switches('disabled', {
      disable: 'Disable a user; sessions end at once, grants end when they are next used.',
      enable: 'Enable a disabled user.',
    }),
    sessions.list('List the sessions of a user.', 'sessions', {}),
    apiAction('end-sessions', 'DELETE /users/{user-id}/sessions', {
      summary: 'Sign a user out everywhere.',
      print: done('Ended.'),
    }),
    apiAction('invite', 'POST /users/{user-id}/invitation', {
      summary: 'Send a user without a password a mail with a link to set one.',
      print: done('Invited.'),
    }),
    apiAction('remove-passkeys', 'DELETE /users/{user-id}/passkeys', {
      summary: 'Remove all passkeys of a user who has lost theirs.',
      print: done('Removed.'),
    }),
    remove('Delete a user with all memberships, consents and grants.'),
  ],
}
