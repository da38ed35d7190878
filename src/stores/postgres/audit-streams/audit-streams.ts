import type { AuditStream, AuditStreamStore } from '../../../core/audit-streams/audit-streams.ts'
import { insertAuditEvents, removeRow } from '../audit/audit.ts'
import { computed, plain, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { findRow, listRows } from '../connection/lists.ts'
import { putRow } from '../connection/put-row.ts'
import { lockOrganization } from '../organizations/organizations.ts'

const mostCounted = 100_000

/** Events after the cursor of `audit_streams`. The order keeps to the indexes, and so to the events that are read. */
const pendingFrom = (read: string, ofOrganization: string, most: number) =>
  `select ${read} from audit_events
   where (audit_events.transaction, audit_events.id) > (audit_streams.transaction, audit_streams.event_id)
     and audit_events.id > audit_streams.begins_after
     and audit_events.transaction < pg_snapshot_xmin(pg_current_snapshot()) ${ofOrganization}
   order by audit_events.transaction, audit_events.id limit ${most}`

/** Each kind of stream by its own index. */
const ofEither = (queryOf: (ofOrganization: string) => string) =>
  `case when audit_streams.organization_id is null then (${queryOf('')})
   else (${queryOf('and audit_events.organization_id = audit_streams.organization_id')}) end`

/** The time of the oldest event that a stream has not delivered; null: there is none. */
export const oldestPending = ofEither((own) => pendingFrom('audit_events.at', own, 1))

const columns = selected<AuditStream>({
  ...plain('id', 'url', 'format', 'organizationId', 'sealed', 'createdAt'),
  lastEventId: computed('nullif(event_id, 0)::text'),
  ...plain('lastSuccessAt', 'lastError'),
  behind: computed(
    ofEither(
      (own) => `select count(*)::integer from (${pendingFrom('1', own, mostCounted)}) pending`,
    ),
  ),
})
const streams = { table: 'audit_streams', columns }

const ofOrganization = 'audit_streams where organization_id = $1'

/** The first transaction whose events a new stream may still receive; its own event is not among them. */
const insertStream = `insert into audit_streams (id, url, format, organization_id, sealed, transaction)
  values ($1, $2, $3, $4, $5, case when $6::boolean then '0' else pg_snapshot_xmin(pg_current_snapshot()) end)
  on conflict (id) do nothing`

/** Streams of the operator and of organizations. What they send is in stream-outbox.ts. */
export const createAuditStreamStore = (database: Database): AuditStreamStore => {
  const find = (on: Queryable, id: string) => findRow<AuditStream>(on, streams, id)
  return {
    find: (id) => find(database, id),

    list: (page, reach) =>
      listRows<AuditStream>(
        database,
        page,
        {
          ...streams,
          ...(reach !== null && { where: 'organization_id = any(?)' }),
          filters: { organization_id: 'organization_id = ?' },
        },
        [reach],
      ),

    put: database.inTransaction(async (tx, id, from, most, decide) => {
      let refused: 'full' | null = null
      const put = await putRow<AuditStream>({
        find: () => findRow<AuditStream>(tx, streams, id, 'for update'),
        insert: async () => {
          const { values, events } = decide(null)
          const { url, format, organizationId, sealed } = values
          if (organizationId !== null) {
            if (!(await lockOrganization(tx, organizationId))) return null
            if ((await tx.count(ofOrganization, [organizationId])) >= most) {
              refused = 'full'
              return null
            }
          }
          const isAll = from === 'start'
          if (!(await tx.affects(insertStream, [id, url, format, organizationId, sealed, isAll])))
            return null
          await insertAuditEvents(tx, events)
          if (!isAll)
            await tx.run(
              'update audit_streams set begins_after = (select max(id) from audit_events) where id = $1',
              [id],
            )
          return find(tx, id)
        },
        change: async (current) => {
          const { values, events } = decide(current)
          if (events.length === 0) return current
          await tx.run(
            `update audit_streams set url = $2, format = $3, sealed = $4, message_id = null, attempts = 0,
               next_attempt_at = now(), last_error = null where id = $1`,
            [id, values.url, values.format, values.sealed],
          )
          await insertAuditEvents(tx, events)
          return { ...current, ...values, lastError: null }
        },
      })
      return put ?? refused
    }),

    remove: (id, admit) => removeRow(database, streams, id, admit),

    addTest: (id, messageId) =>
      database.affects('update audit_streams set test_id = coalesce(test_id, $2) where id = $1', [
        id,
        messageId,
      ]),
  }
}
