import type { LoggedEvent } from '../../../core/audit/audit-log.ts'
import type { AuditTailStore, TailPlace } from '../../../core/audit/audit-tail.ts'
import type { Database } from '../connection/database.ts'
import { conditions, eventColumns, filterValues } from './audit-log.ts'

/** A bigint is text. */
type PlaceRow = Record<'transaction' | 'number' | 'tag', string>

const place = `transaction::text, id::text as number, (extract(epoch from at) * 1000000)::bigint::text as tag`
const isSettled = 'transaction < pg_snapshot_xmin(pg_current_snapshot())'

const placeIn = ({ transaction, number, tag }: PlaceRow): TailPlace => ({
  ...{ transaction: Number(transaction), id: Number(number), tag },
})

export const createAuditTailStore = (database: Database): AuditTailStore => ({
  after: async (filter, { transaction, id }, limit) => {
    const rows = await database.rows<LoggedEvent & PlaceRow>(
      `select ${eventColumns}, ${place} from audit_events
       where (transaction, id) > ($1::xid8, $11::bigint) and ${isSettled} and ${conditions}
       order by audit_events.transaction, audit_events.id limit $12`,
      [transaction, ...filterValues(filter), id, limit],
    )
    return rows.map(({ transaction, number, tag, ...event }) => ({
      event,
      place: placeIn({ transaction, number, tag }),
    }))
  },

  newest: async () => {
    const row = await database.row<PlaceRow>(
      `select ${place} from audit_events where ${isSettled}
       order by audit_events.transaction desc, audit_events.id desc limit 1`,
      [],
      'newest_event',
    )
    return row && placeIn(row)
  },

  placeOf: async ({ id, tag }) => {
    const row = await database.row<PlaceRow>(
      `select ${place} from audit_events where id = $1`,
      [id],
      'place_of_event',
    )
    return row?.tag === tag ? placeIn(row) : null
  },
})
