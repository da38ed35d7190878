import { everything, operatorPermissions } from '../../core/credentials/operator-permissions.ts'
import type { OperatorToken } from '../../core/credentials/operator-tokens.ts'
import type { OperatorTokenJson } from '../../http/operator/people/operator-tokens.ts'
import type { Command, Input } from '../command.ts'
import { allItems, commandLine, databaseAction, jsonOf } from '../database-action.ts'
import { usageError } from '../exit-codes.ts'
import { type Column, columnsOf, listed, printDone, printList, printSecret } from '../output.ts'
import { number, optionsOf, text, words } from '../setting.ts'
import { note } from '../terminal.ts'

const day = 24 * 3600 * 1000

/** An operator without a token can create one. */
const tokenAction = databaseAction(({ withOperatorTokens }) => withOperatorTokens)

const tokenJson = ({ createdAt, lastUsedAt, expiresAt, ...token }: OperatorToken) =>
  jsonOf<OperatorTokenJson>({ ...token, createdAt, lastUsedAt, expiresAt })

const columns: Column<OperatorTokenJson>[] = [
  ...columnsOf<OperatorTokenJson>('id', 'name', 'permissions'),
  ['organizations', (token) => (token.organization_ids ? listed(token.organization_ids) : 'all')],
  ...columnsOf<OperatorTokenJson>('hint', 'created_at', 'last_used_at', ['expires_at', 'ends']),
]

/** RFC 3339, or a day. */
const timeShape = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/

const expiryOf = (input: Input): Date | null => {
  const time = input.text('expires')
  const days = input.number('expires-in')
  if (time !== undefined && days !== undefined)
    throw usageError('--expires and --expires-in exclude each other')
  if (time === undefined) return days === undefined ? null : new Date(Date.now() + days * day)
  const expiresAt = new Date(timeShape.test(time) ? time : Number.NaN)
  if (Number.isNaN(expiresAt.getTime()))
    throw usageError('--expires must be a time such as 2030-01-31T12:00:00Z, or a day')
  return expiresAt
}

const remove = (name: string, summary: string) =>
  tokenAction(name, {
    summary,
    positionals: ['id'],
    run: async (tokens, input, terminal) => {
      await tokens.remove(input.argument('id'), commandLine)
      printDone(terminal, input, 'Deleted.')
    },
  })

export const operatorToken: Command = {
  name: 'operator-token',
  summary: 'tokens for the Operator API, created in the database directly',
  actions: [
    tokenAction('create', {
      summary: 'Create a token for the Operator API.',
      options: optionsOf([
        text('name <text>', 'the person or program that uses it'),
        words('permission <a,b>', 'what it may do, such as apps:read (default: everything)'),
        words('organization <id>', 'only in this organization; repeat for more (default: in all)'),
        text('expires <time>', 'when it expires, such as 2030-01-31T12:00:00Z'),
        number('expires-in <days>', 'lifetime (default: no expiry)'),
      ]),
      notes: [
        'The token is printed to stdout, once. Only its digest is stored.',
        `Permissions: ${operatorPermissions.join(', ')}. To write does not include to read.`,
      ],
      run: async (tokens, input, terminal) => {
        const draft = {
          name: input.required('name'),
          permissions: input.words('permission') ?? [everything],
          organizationIds: input.words('organization') ?? null,
          expiresAt: expiryOf(input),
        }
        const { token, ...created } = await tokens.create(draft, commandLine)
        printSecret(terminal, input, { ...tokenJson(created), token }, token)
        note(terminal, 'Use it as LATCHKEY_OPERATOR_TOKEN.')
      },
    }),
    tokenAction('list', {
      summary: 'List the created tokens.',
      notes: [
        "The server's own token (LATCHKEY_OPERATOR_TOKEN or secrets.json) is not among them.",
      ],
      run: async (tokens, input, terminal) => {
        const found = await allItems(tokens.list)
        printList(terminal, input, columns, found.map(tokenJson))
      },
    }),
    remove('delete', 'Delete a token; it is invalid at once.'),
    remove('revoke', 'The same as delete.'),
  ],
}
