import type { ClientType } from '../../../core/clients/client-type.ts'
import type { PermissionMap } from '../../../core/clients/successor-rules.ts'
import type { StoredSuccessor, SuccessorStore } from '../../../core/clients/successors.ts'
import type { Interface } from '../../../core/language/permissions.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import type { Database, Queryable } from '../connection/database.ts'

interface SuccessorRow {
  legacy_client_id: string
  client_id: string
  worth: PermissionMap
  created_at: Date
  updated_at: Date
}

interface HalfRow {
  client_id: string
  interface: Interface
  client_type: ClientType
  permissions: string[]
}

const columns = 'legacy_client_id, client_id, worth, created_at, updated_at'

const toSuccessor = (row: SuccessorRow): StoredSuccessor => ({
  legacyClientId: row.legacy_client_id,
  clientId: row.client_id,
  permissionMap: row.worth,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const find = async (on: Queryable, legacyClientId: string) => {
  const { rows } = await on.query<SuccessorRow>(
    `select ${columns} from app_twins where legacy_client_id = $1`,
    [legacyClientId],
  )
  return rows[0] ? toSuccessor(rows[0]) : null
}

/** Locks both apps in the order of their ids, so that other changes of them wait. */
const lockHalves = async (tx: Queryable, legacyClientId: string, clientId: string) => {
  const { rows } = await tx.query<HalfRow>(
    `select client_id, interface, client_type, permissions from apps
      where client_id = any($1) order by client_id for no key update`,
    [[legacyClientId, clientId]],
  )
  const halfOf = (id: string) => {
    const row = rows.find((one) => one.client_id === id)
    return row
      ? { interface: row.interface, clientType: row.client_type, permissions: row.permissions }
      : null
  }
  return { legacy: halfOf(legacyClientId), current: halfOf(clientId) }
}

export const createSuccessorStore = (database: Database): SuccessorStore => ({
  find: (legacyClientId) => find(database, legacyClientId),

  put: (legacyClientId, clientId, decide) =>
    database.transaction(async (tx) => {
      const halves = await lockHalves(tx, legacyClientId, clientId)
      const before = await find(tx, legacyClientId)
      const taken = await tx.query(
        'select 1 from app_twins where client_id = $1 and legacy_client_id <> $2',
        [clientId, legacyClientId],
      )
      const { values, events } = decide({ ...halves, before, isTaken: taken.count > 0 })
      if (events.length === 0) return before
      const { rows } = await tx.query<SuccessorRow>(
        `insert into app_twins (legacy_client_id, client_id, worth) values ($1, $2, $3)
         on conflict (legacy_client_id) do update
           set client_id = excluded.client_id, worth = excluded.worth, updated_at = now()
         returning ${columns}`,
        [legacyClientId, clientId, JSON.stringify(values)],
      )
      await insertAuditEvents(tx, events)
      return toSuccessor(rows[0]!)
    }),

  remove: (legacyClientId, admit) =>
    database.transaction(async (tx) => {
      const { rows } = await tx.query<SuccessorRow>(
        `delete from app_twins where legacy_client_id = $1 returning ${columns}`,
        [legacyClientId],
      )
      if (!rows[0]) return false
      await insertAuditEvents(tx, admit(toSuccessor(rows[0])))
      return true
    }),
})
