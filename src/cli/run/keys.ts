import type { KeyDependency } from '../../core/credentials/master-keys.ts'
import type { ActivatedKeyJson, SigningKeyJson } from '../../http/operator/tokens/signing-keys.ts'
import { apiAction, listing } from '../api-action.ts'
import type { Command } from '../command.ts'
import { databaseAction } from '../database-action.ts'
import { type Column, columnsOf, moment, print, printList } from '../output.ts'
import { flag, text } from '../setting.ts'
import { note } from '../terminal.ts'

/** With the master keys of the environment. A server must not reveal them. */
const masterKeyAction = databaseAction(({ withMasterKeys }) => withMasterKeys)

const standingOf = (keyId: string | null, [current, ...older]: readonly string[]) => {
  if (keyId === null) return ''
  if (keyId === current) return 'current'
  return older.includes(keyId) ? 'older' : 'not configured'
}

const rowOf = ({ keyId, ...counted }: KeyDependency, keyIds: readonly string[]) => ({
  ...{ master_key_id: keyId, standing: standingOf(keyId, keyIds) },
  ...counted,
})

type Row = ReturnType<typeof rowOf>

const dependenceColumns: Column<Row>[] = [
  ['master key', (row) => row.master_key_id ?? '(not known)'],
  ['', (row) => row.standing],
  ...columnsOf<Row>('table', ['kind', 'what'], 'rows'),
]

const status = masterKeyAction('status', {
  summary: 'Count the rows that depend on each master key.',
  notes: [
    'Remove an older master key only when no row depends on it and no row depends on an unknown key. Codes, refresh',
    'tokens and cookies name their key themselves: see docs/keys-and-secrets.md.',
  ],
  run: async (keys, input, terminal) => {
    const rows = (await keys.status()).map((one) => rowOf(one, keys.keyIds))
    printList(terminal, input, dependenceColumns, rows)
  },
})

const reseal = masterKeyAction('reseal', {
  summary: 'Encrypt data of older master keys again with the current one.',
  notes: [
    'A server does the same at startup. The command may run beside servers, any number of times.',
  ],
  run: async (keys, input, terminal) => {
    const resealed = await keys.reseal()
    print(terminal, input, { resealed }, () => String(resealed))
    note(terminal, resealed ? 'These rows now use the current key.' : 'No data used an older key.')
  },
})

const columns = [
  ...columnsOf<SigningKeyJson>('status', 'kid', ['alg', 'algorithm'], 'created_at'),
  ...columnsOf<SigningKeyJson>(['activated_at', 'signs since'], 'retired_at'),
]

export const keys: Command = {
  name: 'keys',
  summary: 'signing keys of access tokens, and the data that depends on each master key',
  actions: [
    listing('list', '/signing-keys', {
      summary: 'List the published signing keys.',
      columns,
      settings: {
        sort: text('sort <order>', 'created_at or status; --sort=-created_at has the newest first'),
      },
    }),
    apiAction<ActivatedKeyJson>('rotate', 'POST /signing-keys/rotate', {
      summary: 'Sign with the next key.',
      settings: {
        withdraw: flag(
          'withdraw',
          'drop all keys and create new ones; older tokens are invalid at once',
        ),
      },
      notes: [
        'The next key was published ahead of its use, and the old key stays published, so tokens signed earlier stay',
        'valid until they expire. A key that was published too recently starts to sign a little later, so that every',
        'verifier knows it by then. Use --withdraw when a key has leaked: all tokens signed earlier become invalid.',
      ],
      print: (active, { input, terminal }) => {
        print(terminal, input, active, () => active.kid)
        const from = moment(active.activated_at)
        note(terminal, `This key signs from ${from} on. A new next key is published.`)
      },
    }),
    status,
    reseal,
  ],
}
