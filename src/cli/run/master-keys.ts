import type { KeyDependency } from '../../core/credentials/master-keys.ts'
import { databaseAction } from '../database-action.ts'
import { type Column, print, printList } from '../output.ts'
import { note } from '../terminal.ts'

/** With the master keys of the environment. A server must not reveal them. */
const masterKeyAction = databaseAction(({ withMasterKeys }) => withMasterKeys)

interface DependenceJson {
  master_key_id: string | null
  standing: string
  table: string
  kind: KeyDependency['kind']
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
  summary: 'Count the rows that depend on each master key.',
  notes: [
    'Remove an older master key only when no row depends on it and no row depends on an unknown key. Codes, refresh',
    'tokens and cookies name their key themselves: see docs/keys-and-secrets.md.',
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
  summary: 'Encrypt data of older master keys again with the current one.',
  notes: [
    'A server does the same at startup. The command may run beside servers, any number of times.',
  ],
  run: async (keys, input, terminal) => {
    const resealed = await keys.reseal()
    print(terminal, input, { resealed }, () => String(resealed))
    note(
      terminal,
      resealed === 0 ? 'No data used an older key.' : 'These rows now use the current key.',
    )
  },
})
