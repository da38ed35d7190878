import type { AuditEvent, AuditStore } from '../../services/audit.ts'
import type { Database, Queryable } from './database.ts'

/** Writes events in the caller's transaction, so that a change and its trace stand or fall together. */
export const insertAuditEvents = async (on: Queryable, events: readonly AuditEvent[]) => {
  if (events.length === 0) return
  const rows = events.map((event) => ({
    type: event.type,
    actor_kind: event.actor.kind,
    actor_id: event.actor.id,
    organization_id: event.organizationId ?? null,
    client_id: event.clientId ?? null,
    user_id: event.userId ?? null,
    address: event.address ?? null,
    request_id: event.requestId ?? null,
    detail: event.detail ?? {},
  }))
  await on.query(
    `insert into audit_events
       (type, actor_kind, actor_id, organization_id, client_id, user_id, address, request_id, detail)
     select type, actor_kind, actor_id, organization_id, client_id, user_id, address, request_id, detail
       from jsonb_to_recordset($1::jsonb) as event (type text, actor_kind text, actor_id text,
         organization_id text, client_id text, user_id text, address text, request_id text, detail jsonb)`,
    [JSON.stringify(rows)],
  )
}

export const createAuditStore = (database: Database): AuditStore => ({
  append: (events) => insertAuditEvents(database, events),
})
