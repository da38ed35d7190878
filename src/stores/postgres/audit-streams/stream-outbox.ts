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
  const change =
    (set: string, where = heldBatch) =>
    ({ id, claims }: ClaimedStream, ...values: unknown[]) =>
      database.run(`update audit_streams set ${set} where ${where}`, [id, claims, ...values])

  return {
    waiting: (share) => database.rows(findWaiting, [share === 'operator'], 'waiting_streams'),

    claim: (id, lease) => database.row(claimDue, [id, lease], 'claim_stream'),

    events: (stream, most) => database.rows<LoggedEvent>(...eventsOf(stream, most)),

    form: ({ id, claims }, messageId, count, lastId) =>
      database.affects(
        `update audit_streams set message_id = $3, batch_events = $4, batch_event_id = $5, attempts = 0,
           batch_transaction = (select transaction from audit_events where id = $5)
          where ${held} and message_id is null`,
        [id, claims, messageId, count, lastId],
      ),

    expired: change(`message_id = null, attempts = 0, last_error = 'events_expired',
      next_attempt_at = clock_timestamp()`),

    accepted: change(`message_id = null, attempts = 0, transaction = batch_transaction,
      event_id = batch_event_id, ${succeeded}`),

    failed: change(`attempts = attempts + 1, last_error = $4,
      next_attempt_at = clock_timestamp() + make_interval(secs => $5::float8)`),

    tested: (stream, error) => {
      const set = error === null ? succeeded : 'last_error = $4'
      const write = change(`test_id = null, ${set}`, `${held} and test_id = $3`)
      return write(stream, stream.testId, ...(error === null ? [] : [error]))
    },

    release: change("claimed_until = '-infinity'", held),

    backlog: () => backlogIn(database, waitingStreams, 'at'),
  }
}
