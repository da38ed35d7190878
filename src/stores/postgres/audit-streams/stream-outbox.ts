import type { LoggedEvent } from '../../../core/audit/audit-log.ts'
import type { ClaimedStream, StreamOutbox } from '../../../core/audit-streams/stream-delivery.ts'
import { eventColumns } from '../audit/audit-log.ts'
import { backlogIn } from '../connection/backlog.ts'
import { computed, plain, selected } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { oldestPending } from './audit-streams.ts'

const mostOfOwner = 50
const mostWaiting = 1000

const isFree = 'claimed_until < clock_timestamp()'

const findWaiting = `with due as (
    select id, coalesce(organization_id, id) as owner, attempts > 0 as failing, next_attempt_at
    from audit_streams
    where (organization_id is null) = $1::boolean and ${isFree} and (test_id is not null
      or (next_attempt_at <= now() and (message_id is not null or (${oldestPending}) is not null)))),
  ranked as (
    select *, row_number() over (partition by owner order by next_attempt_at, id) as place from due)
  select id as "webhookId", owner, failing as "isFailing" from ranked where place <= ${mostOfOwner}
  order by place, next_attempt_at limit ${mostWaiting}`

const claimed = selected<ClaimedStream>({
  ...plain('id', 'url', 'format', 'organizationId', 'sealed', 'attempts'),
  claims: computed('claims::text'),
  ...plain('testId', 'messageId', 'batchEvents'),
  cursor: computed('array[transaction::text, event_id::text, begins_after::text]'),
  batchEnd: computed(
    'case when message_id is not null then array[batch_transaction::text, batch_event_id::text] end',
  ),
})

const claimDue = `update audit_streams
  set claims = claims + 1, claimed_until = clock_timestamp() + make_interval(secs => $2::float8)
  where id = $1 and ${isFree} and (test_id is not null or next_attempt_at <= clock_timestamp())
  returning ${claimed}`

const waitingStreams = `(select ${oldestPending} as at from audit_streams) pending where at is not null`

/** Each kind has a statement of its own, so that an index gives both ends of what is read. */
const eventsOf = ({ cursor, batchEnd, organizationId }: ClaimedStream, most: number) => {
  const place = '(audit_events.transaction, audit_events.id)'
  const values = [...cursor, most, ...(batchEnd ?? []), organizationId]
  const end = batchEnd
    ? `${place} <= ($5::xid8, $6::bigint)`
    : 'audit_events.transaction < pg_snapshot_xmin(pg_current_snapshot())'
  const own = organizationId === null ? '' : `and organization_id = $${values.length}`
  return [
    `select ${eventColumns} from audit_events
     where ${place} > ($1::xid8, $2::bigint) and id > $3::bigint and ${end} ${own}
     order by audit_events.transaction, audit_events.id limit $4`,
    organizationId === null ? values.slice(0, -1) : values,
  ] as const
}

const held = 'id = $1 and claims = $2'
const heldBatch = `${held} and message_id = $3`

/** What an accepted message says of the receiver. That events were lost stays until the next failure. */
const succeeded = `last_success_at = clock_timestamp(), next_attempt_at = clock_timestamp(),
  last_error = case when last_error = 'events_expired' then last_error end`

/** The streams as workers use them. A write under a lost claim does nothing. */
export const createStreamOutbox = (database: Database): StreamOutbox => {
  const write = (set: string, where: string, { id, claims }: ClaimedStream, ...values: unknown[]) =>
    database.affects(`update audit_streams set ${set} where ${where}`, [id, claims, ...values])

  return {
    waiting: (share) => database.rows(findWaiting, [share === 'operator'], 'waiting_streams'),

    claim: (id, lease) => database.row(claimDue, [id, lease], 'claim_stream'),

    events: (stream, most) => database.rows<LoggedEvent>(...eventsOf(stream, most)),

    form: (stream, messageId, count, lastId) =>
      write(
        `message_id = $3, batch_events = $4, batch_event_id = $5, attempts = 0,
         batch_transaction = (select transaction from audit_events where id = $5)`,
        `${held} and message_id is null`,
        ...[stream, messageId, count, lastId],
      ),

    expired: async (stream, messageId) => {
      const set = "message_id = null, attempts = 0, last_error = 'events_expired'"
      await write(`${set}, next_attempt_at = clock_timestamp()`, heldBatch, stream, messageId)
    },

    accepted: async (stream, messageId) => {
      const set = `message_id = null, attempts = 0, transaction = batch_transaction,
        event_id = batch_event_id, ${succeeded}`
      await write(set, heldBatch, stream, messageId)
    },

    failed: async (stream, messageId, error, after) => {
      const set = `attempts = attempts + 1, last_error = $4,
        next_attempt_at = clock_timestamp() + make_interval(secs => $5::float8)`
      await write(set, heldBatch, stream, messageId, error, after)
    },

    tested: async (stream, error) => {
      const set = error === null ? succeeded : 'last_error = $4'
      const values = error === null ? [] : [error]
      const where = `${held} and test_id = $3`
      await write(`test_id = null, ${set}`, where, stream, stream.testId, ...values)
    },

    release: async (stream) => {
      await write("claimed_until = '-infinity'", held, stream)
    },

    backlog: () => backlogIn(database, waitingStreams, 'at'),
  }
}
