import { readConfig } from '../config/config.ts'
import { createMasterKeys, type Dependence } from '../core/credentials/master-keys.ts'
import { createMasterKeyStore } from '../stores/postgres/credentials/master-keys.ts'
import type { Action, Input } from './action.ts'
import { keyringOf, withDatabase } from './database.ts'
import { type Column, print, printList } from './output.ts'
import { note, type Terminal } from './terminal.ts'

type MasterKeys = ReturnType<typeof createMasterKeys>
type MasterKeyAction = Omit<Action, 'run'> & {
  run(keys: MasterKeys, input: Input, terminal: Terminal): Promise<void>
}

/** Works on the database itself, with the master keys of the environment: no server is asked for them. */
const masterKeyAction = (action: MasterKeyAction): Action => ({
  ...action,
  run: async (input, terminal) => {
    const config = readConfig(terminal.env)
    const keyring = await keyringOf(config)
    await withDatabase(config, (database) =>
      action.run(
        createMasterKeys({ store: createMasterKeyStore(database), keyring }),
        input,
        terminal,
      ),
    )
  },
})

interface DependenceJson {
  master_key_id: string | null
  standing: string
  table: string
  kind: Dependence['kind']
  rows: number
}

const columns: Column<DependenceJson>[] = [
  ['master key', (row) => row.master_key_id ?? '(not known)'],
  ['', (row) => row.standing],
  ['table', (row) => row.table],
  ['what', (row) => row.kind],
  ['rows', (row) => String(row.rows)],
]

export const status = masterKeyAction({
  name: 'status',
  summary: 'Count what depends on which master key.',
  notes: [
    'An older master key may go when nothing depends on it and nothing on one that is not known. Codes, refresh',
    'tokens and cookies name their key themselves: see docs/operating.md.',
  ],
  run: async (keys, input, terminal) => {
    const standingOf = (keyId: string | null) => {
      if (keyId === null) return ''
      if (keyId === keys.keyIds[0]) return 'current'
      return keys.keyIds.includes(keyId) ? 'older' : 'not configured'
    }
    const found = await keys.status()
    const rows = found.map(({ keyId, ...one }) => ({
      master_key_id: keyId,
      standing: standingOf(keyId),
      ...one,
    }))
    printList(terminal, input, columns, rows)
  },
})

export const reseal = masterKeyAction({
  name: 'reseal',
  summary: 'Seal anew, under the current master key, what older ones have sealed.',
  notes: [
    'A server does the same when it starts. It may run beside servers, and as often as you like.',
  ],
  run: async (keys, input, terminal) => {
    const resealed = await keys.reseal()
    print(terminal, input, { resealed }, () => String(resealed))
    note(
      terminal,
      resealed === 0 ? 'Nothing was under an older key.' : 'Now under the current key.',
    )
  },
})
