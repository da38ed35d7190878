import type { AuditFilter, AuditLogStore, LoggedEvent } from '../../../core/audit/audit-log.ts'
import type { ListPosition } from '../../../core/language/paging.ts'
import { computed, plain, selected } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'

export const eventColumns = selected<LoggedEvent>({
  ...plain('id', 'at', 'type'),
  actor: computed("json_build_object('kind', actor_kind, 'id', actor_id)"),
  ...plain('organizationId', 'clientId', 'userId', 'address', 'requestId', 'detail'),
})

/** The filter, from the second parameter to the tenth. */
export const conditions = `($2::text is null or organization_id = $2) and ($3::text is null or client_id = $3)
  and ($4::text is null or type = $4) and ($5::text is null or request_id = $5)
  and ($6::text[] is null or split_part(type, '.', 1) = any($6))
  and ($7::text is null or actor_id = $7)
  and ($8::text is null or user_id = $8 or (actor_id = $8 and actor_kind = 'user'))
  and ($9::timestamptz is null or at >= $9) and ($10::timestamptz is null or at < $10)`

export const filterValues = (filter: AuditFilter) => {
  const { organizationId, clientId, type, requestId, subjects } = filter
  const { actorId, personId, from, to } = filter
  return [organizationId, clientId, type, requestId, subjects, actorId, personId, from, to]
}

const numberOf = (place: ListPosition | null) => place?.split('.')[0] ?? null

/** Reads the events that `insertAuditEvents` wrote. The place of an event is its number. */
export const createAuditLogStore = (database: Database): AuditLogStore => ({
  query: async (filter, { limit, after }) => {
    const rows = await database.rows<LoggedEvent>(
      `select ${eventColumns} from audit_events
       where ($1::bigint is null or id < $1) and ${conditions}
       order by id desc limit $11::integer + 1`,
      [numberOf(after), ...filterValues(filter), limit],
    )
    const items = rows.slice(0, limit)
    return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
  },

  newer: async (filter, place, limit) => {
    const rows = await database.rows<LoggedEvent>(
      `select ${eventColumns} from audit_events where id > $1::bigint and ${conditions}
       order by id limit $11::integer + 1`,
      [numberOf(place), ...filterValues(filter), limit],
    )
    const items = rows.slice(0, limit).reverse()
    return { items, next: rows.length > limit ? (items[0]?.id ?? null) : null }
  },
})
