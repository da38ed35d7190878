import type { Actor } from '../../services/audit.ts'
import type { AuditLogStore, LoggedEvent } from '../../services/audit-log.ts'
import type { Database } from './database.ts'

interface AuditEventRow {
  id: string
  at: Date
  type: string
  actor_kind: Actor['kind']
  actor_id: string | null
  organization_id: string | null
  client_id: string | null
  user_id: string | null
  address: string | null
  request_id: string | null
  detail: Record<string, unknown>
}

const toEvent = (row: AuditEventRow): LoggedEvent => ({
  id: row.id,
  at: row.at,
  type: row.type,
  actor: { kind: row.actor_kind, id: row.actor_id },
  organizationId: row.organization_id,
  clientId: row.client_id,
  userId: row.user_id,
  address: row.address,
  requestId: row.request_id,
  detail: row.detail,
})

/** Reads what `insertAuditEvents` wrote; an event's place in the list is its number. */
export const createAuditLogStore = (database: Database): AuditLogStore => ({
  query: async (filter, { limit, after }) => {
    const [before = null] = after?.split('.') ?? []
    const { rows } = await database.query<AuditEventRow>(
      `select id, at, type, actor_kind, actor_id, organization_id, client_id, user_id, address,
         request_id, detail
       from audit_events
       where ($1::bigint is null or id < $1)
         and ($2::text is null or organization_id = $2) and ($3::text is null or client_id = $3)
         and ($4::text is null or type = $4) and ($5::text is null or request_id = $5)
       order by id desc limit $6::integer + 1`,
      [before, filter.organizationId, filter.clientId, filter.type, filter.requestId, limit],
    )
    const items = rows.slice(0, limit).map(toEvent)
    return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
  },
})
