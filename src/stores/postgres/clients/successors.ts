import type {
  StoredSuccessor,
  SuccessorContext,
  SuccessorStore,
} from '../../../core/clients/successors.ts'
import { changeRow, removeRow } from '../audit/audit.ts'
import { named, plain, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { findRow } from '../connection/lists.ts'

const columns = selected<StoredSuccessor>({
  ...plain('legacyClientId', 'clientId'),
  permissionMap: named('worth'),
  ...plain('createdAt', 'updatedAt'),
})

type Half = NonNullable<SuccessorContext['legacy']>

const halfColumns = selected<Half>(plain('interface', 'clientType', 'permissions'))

const twins = { table: 'app_twins', key: 'legacy_client_id', columns }

/** Locks both apps in the order of their ids, so that other changes of them wait. */
const lockHalves = async (tx: Queryable, legacyClientId: string, clientId: string) => {
  const rows = await tx.rows<Half & { client_id: string }>(
    `select client_id, ${halfColumns} from apps
      where client_id = any($1) order by client_id for no key update`,
    [[legacyClientId, clientId]],
  )
  const halves = new Map(rows.map(({ client_id, ...half }) => [client_id, half]))
  const halfOf = (id: string) => halves.get(id) ?? null
  return { legacy: halfOf(legacyClientId), current: halfOf(clientId) }
}

export const createSuccessorStore = (database: Database): SuccessorStore => ({
  find: (legacyClientId) => findRow(database, twins, legacyClientId),

  put: database.inTransaction(async (tx, legacyClientId, clientId, decide) => {
    const halves = await lockHalves(tx, legacyClientId, clientId)
    const before = await findRow<StoredSuccessor>(tx, twins, legacyClientId)
    const isTaken = await tx.affects(
      'select 1 from app_twins where client_id = $1 and legacy_client_id <> $2',
      [clientId, legacyClientId],
    )
    const { values, events } = decide({ ...halves, before, isTaken })
    if (events.length === 0) return before
    return (await changeRow(
      tx,
      `insert into app_twins (legacy_client_id, client_id, worth) values ($1, $2, $3)
         on conflict (legacy_client_id) do update
           set client_id = excluded.client_id, worth = excluded.worth, updated_at = now()
         returning ${columns}`,
      [legacyClientId, clientId, JSON.stringify(values)],
      events,
    ))!
  }),

  remove: (legacyClientId, admit) => removeRow(database, twins, legacyClientId, admit),
})
