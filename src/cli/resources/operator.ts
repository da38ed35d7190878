import { everything, operatorPermissions } from '../../core/credentials/operator-permissions.ts'
import { NotFound } from '../../core/language/service-errors.ts'
import type { OperatorCause } from '../../core/people/account-guard.ts'
import type { User } from '../../core/people/user.ts'
import type { UserOperatorJson } from '../../http/operator/people/operators.ts'
import type { Command, Input } from '../command.ts'
import { allItems, commandLine, databaseAction, jsonOf } from '../database-action.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'
import { columnsOf, printDone, printList, printOne } from '../output.ts'
import type { Operators } from '../run/database.ts'
import { secretFromEnvironment, secretFromStdin } from '../secret-input.ts'
import { flag, optionsOf, text, words } from '../setting.ts'
import { note, type Terminal } from '../terminal.ts'
import { neverSignedIn } from './signed-in.ts'

const rights = { id: 'command-line', permissions: [everything], organizationIds: null }
const cause: OperatorCause = { ...commandLine, rights }

/** The first operator needs no token. */
const directAction = databaseAction(({ withOperators }) => withOperators)

const columns = columnsOf<UserOperatorJson>(
  ['user_id', 'user'],
  ['email', 'e-mail'],
  'name',
  'permissions',
  'disabled',
  'has_signed_in',
  ['created_at', 'since'],
)

const userWith = async ({ users }: Operators, email: string): Promise<User | null> =>
  (await users.list({ limit: 1, after: null, filter: { email } })).items[0] ?? null

/** Creates the user of a new operator, who has no other way in yet. */
const create = async ({ users }: Operators, email: string, input: Input, terminal: Terminal) => {
  const name = input.text('name')
  if (name === undefined)
    throw new CommandError(exitCodes.notFound, 'no user has this address', [
      'to create the user: --name <name>, and the password by --password-stdin or LATCHKEY_PASSWORD',
    ])
  const password = input.flag('password-stdin')
    ? await secretFromStdin(terminal, 'password')
    : secretFromEnvironment(terminal, 'LATCHKEY_PASSWORD')
  return users.create({ email, name, ...(password !== undefined && { password }) }, cause)
}

export const operator: Command = {
  name: 'operator',
  summary: 'users who use the console, granted in the database directly',
  actions: [
    directAction('grant', {
      summary: 'Make a user an operator: the console under /operator, with a passkey.',
      positionals: ['email'],
      options: optionsOf([
        words(
          'permissions <a,b>',
          'what the operator may do, such as apps:read (default: everything)',
        ),
        text('name <text>', 'creates the user, if there is none with this address'),
        flag(
          'password-stdin',
          'the first password of a new user, from stdin (at a terminal: without echo)',
        ),
      ]),
      notes: [
        'Replaces the permissions that the operator has. The operator signs in and adds a passkey at the first visit.',
        `Permissions: ${operatorPermissions.join(', ')}. To write does not include to read.`,
        'The password of a new user may also come from LATCHKEY_PASSWORD or LATCHKEY_PASSWORD_FILE.',
      ],
      run: async (operators, input, terminal) => {
        const email = input.argument('email')
        const known = await userWith(operators, email)
        const { id } = known ?? (await create(operators, email, input, terminal))
        const permissions = input.words('permissions') ?? [everything]
        const granted = await operators.grants.put(id, permissions, cause)
        printOne(terminal, input, columns, jsonOf<UserOperatorJson>(granted))
        if (known && !granted.hasSignedIn) note(terminal, neverSignedIn(email))
        note(terminal, 'Sign in under /operator.')
      },
    }),
    directAction('list', {
      summary: 'List the operators.',
      run: async ({ grants }, input, terminal) => {
        const found = await allItems(grants.list)
        printList(terminal, input, columns, found.map(jsonOf<UserOperatorJson>))
      },
    }),
    directAction('revoke', {
      summary: 'End the access of an operator to the console, at once.',
      positionals: ['email'],
      run: async (operators, input, terminal) => {
        const user = await userWith(operators, input.argument('email'))
        if (!user) throw new NotFound('user')
        await operators.grants.put(user.id, [], cause)
        printDone(terminal, input, 'Revoked.')
      },
    }),
  ],
}
