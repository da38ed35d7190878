import type { Actor } from '../../../core/audit/audit.ts'
import type { AuditFilter, AuditLogStore, LoggedEvent } from '../../../core/audit/audit-log.ts'
import type { Place } from '../../../core/language/paging.ts'
import type { Database } from '../connection/database.ts'

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

const columns = `id, at, type, actor_kind, actor_id, organization_id, client_id, user_id, address,
  request_id, detail`

const conditions = `($2::text is null or organization_id = $2) and ($3::text is null or client_id = $3)
  and ($4::text is null or type = $4) and ($5::text is null or request_id = $5)
  and ($6::text[] is null or split_part(type, '.', 1) = any($6))
  and ($7::text is null or actor_id = $7)
  and ($8::text is null or user_id = $8 or (actor_id = $8 and actor_kind = 'user'))
  and ($9::timestamptz is null or at >= $9) and ($10::timestamptz is null or at < $10)`

const valuesOf = (filter: AuditFilter) => [
  filter.organizationId,
  filter.clientId,
  filter.type,
  filter.requestId,
  filter.subjects,
  filter.actorId,
  filter.personId,
  filter.from,
  filter.to,
]

const numberOf = (place: Place | null) => place?.split('.')[0] ?? null

/** Reads the events that `insertAuditEvents` wrote. The place of an event is its number. */
export const createAuditLogStore = (database: Database): AuditLogStore => ({
  query: async (filter, { limit, after }) => {
    const { rows } = await database.query<AuditEventRow>(
      `select ${columns} from audit_events
       where ($1::bigint is null or id < $1) and ${conditions}
       order by id desc limit $11::integer + 1`,
      [numberOf(after), ...valuesOf(filter), limit],
    )
    const items = rows.slice(0, limit).map(toEvent)
    return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
  },

  newer: async (filter, place, limit) => {
    const { rows } = await database.query<AuditEventRow>(
      `select ${columns} from audit_events where id > $1::bigint and ${conditions}
       order by id limit $11::integer + 1`,
      [numberOf(place), ...valuesOf(filter), limit],
    )
    const items = rows.slice(0, limit).map(toEvent).reverse()
    return { items, next: rows.length > limit ? (items[0]?.id ?? null) : null }
  },
})
