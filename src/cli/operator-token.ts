import type { Cause } from '../core/audit/audit.ts'
import type { OperatorToken, OperatorTokens } from '../core/credentials/operator-tokens.ts'
import type { Action, Input } from './action.ts'
import type { Command } from './command.ts'
import { type Column, moment, printDone, printList } from './output.ts'
import { printSecret } from './secrets.ts'
import { note, type Terminal } from './terminal.ts'

const cause: Cause = {
  actor: { kind: 'operator', id: 'command-line' },
  address: null,
  requestId: null,
}
const day = 24 * 3600 * 1000
const pageSize = 200

type TokenAction = Omit<Action, 'run'> & {
  run(tokens: OperatorTokens, input: Input, terminal: Terminal): Promise<void>
}

/** Works on the database directly, so that an operator without a token can create one. */
const tokenAction = (action: TokenAction): Action => ({
  ...action,
  run: async (input, terminal) => {
    const { withOperatorTokens } = await import('./database.ts')
    await withOperatorTokens(terminal.env, (tokens) => action.run(tokens, input, terminal))
  },
})

const jsonOf = (token: OperatorToken) => ({
  id: token.id,
  name: token.name,
  hint: token.hint,
  created_at: token.createdAt.toISOString(),
  last_used_at: token.lastUsedAt?.toISOString() ?? null,
  expires_at: token.expiresAt?.toISOString() ?? null,
})

const columns: Column<ReturnType<typeof jsonOf>>[] = [
  ['id', (token) => token.id],
  ['name', (token) => token.name],
  ['hint', (token) => token.hint],
  ['created', (token) => moment(token.created_at)],
  ['last used', (token) => moment(token.last_used_at)],
  ['ends', (token) => moment(token.expires_at)],
]

const create = tokenAction({
  name: 'create',
  summary: 'Create a token for the Operator API.',
  options: {
    name: { value: 'text', help: 'the person or program that uses it' },
    'expires-in': { value: 'days', help: 'lifetime (default: no expiry)' },
  },
  notes: ['The token is printed to stdout, once. Only its digest is stored.'],
  run: async (tokens, input, terminal) => {
    const name = input.required('name')
    const days = input.number('expires-in')
    const expiresAt = days === undefined ? null : new Date(Date.now() + days * day)
    const { token, ...created } = await tokens.create(name, expiresAt, cause)
    printSecret(terminal, input, { ...jsonOf(created), token }, token)
    note(terminal, 'Use it as LATCHKEY_OPERATOR_TOKEN.')
  },
})

const list = tokenAction({
  name: 'list',
  summary: 'List the tokens that this command has created.',
  notes: ["The server's own token (LATCHKEY_OPERATOR_TOKEN or secrets.json) is not among them."],
  run: async (tokens, input, terminal) => {
    const found: OperatorToken[] = []
    let after: string | null = null
    do {
      const page: Awaited<ReturnType<OperatorTokens['list']>> = await tokens.list({
        limit: pageSize,
        after,
      })
      found.push(...page.items)
      after = page.next
    } while (after !== null)
    printList(terminal, input, columns, found.map(jsonOf))
  },
})

const revoke = tokenAction({
  name: 'revoke',
  summary: 'Revoke a token at once.',
  positionals: ['id'],
  run: async (tokens, input, terminal) => {
    await tokens.remove(input.argument('id'), cause)
    printDone(terminal, input, 'Revoked.')
  },
})

export const operatorToken: Command = {
  name: 'operator-token',
  summary: 'tokens for the Operator API, created in the database directly',
  actions: [create, list, revoke],
}
