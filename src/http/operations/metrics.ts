import { collectDefaultMetrics, Registry } from 'prom-client'
import type { TokenRequestOutcome } from '../oauth/outcome.ts'
import { brokenOff } from '../server/answers.ts'
import { type Declare, declareIn } from './declare.ts'

const statusClass = (status: number) =>
  status === brokenOff ? 'aborted' : `${Math.floor(status / 100)}xx`

/** Metrics of the stores as this process sees them. */
const createStoreMetrics = ({ counter, durations }: Declare) => {
  const roundTrips = durations(
    'latchkey_store_round_trip_duration_seconds',
    'Time for one statement or script, waiting for a connection included',
    ['store'],
  )
  const errors = counter(
    'latchkey_store_errors_total',
    'Statements and scripts that failed because the store was unavailable or too slow',
    ['store'],
  )
  const runs = counter('latchkey_cleanup_runs_total', 'Clean-ups of expired rows, by outcome', [
    'outcome',
  ])
  // Create the series now: an alert cannot use one that does not exist yet.
  for (const outcome of ['ok', 'failed']) runs.inc({ outcome }, 0)
  const removed = counter(
    'latchkey_cleanup_removed_rows_total',
    'Expired rows that were removed, by table',
    ['table'],
  )
  return {
    /**
     * One statement or script, timed from its caller's point of view.
     * @param began performance.now()
     * @param failed true when the store was unavailable or too slow, not when it returned an error
     */
    roundTrip: (
      store: 'postgres' | 'redis',
      _statement: string,
      began: number,
      failed: boolean,
    ) => {
      roundTrips.observe({ store }, (performance.now() - began) / 1000)
      if (failed) errors.inc({ store })
    },
    /** Rows of a table that a clean-up removed. */
    rowsRemoved: (table: string, count: number) => removed.inc({ table }, count),
    cleanedUp: (succeeded: boolean) => runs.inc({ outcome: succeeded ? 'ok' : 'failed' }),
  }
}

type Named = readonly [name: string, help: string]

export const createMetrics = () => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Report the worst worker, not the mean of all.
  const lag = registry.getSingleMetric('nodejs_eventloop_lag_p99_seconds')
  Object.assign(lag ?? {}, { aggregator: 'max' })
  const declare = declareIn(registry)
  const { counter, gauge, durations } = declare
  const tokens = counter(
    'latchkey_token_requests_total',
    'Token requests by interface, grant type, outcome and sub-reason',
    ['interface', 'grant_type', 'outcome', 'reason'],
  )
  const tokenTimes = durations(
    'latchkey_token_request_duration_seconds',
    'Time to answer a token request, by interface, grant type and outcome',
    ['interface', 'grant_type', 'outcome'],
  )
  const ended = counter(
    'latchkey_grant_families_ended_total',
    'Grant families that ended, by reason',
    ['reason'],
  )
  ended.inc({ reason: 'reuse_detected' }, 0) // so that the first event is an increase
  const lost = counter('latchkey_audit_events_lost_total', 'Audit events that could not be written')
  const unsettled = counter(
    'latchkey_unsettled_requests_total',
    'Grants answered with 503 although the command may have run, by whether this was recorded in time',
    ['outcome'],
  )
  for (const outcome of ['recorded', 'late']) unsettled.inc({ outcome }, 0)
  const queue = (attempts: Named, waiting: Named, overdue: Named) => {
    const tried = counter(...attempts, ['outcome'])
    const [count, age] = [gauge(...waiting, 'max'), gauge(...overdue, 'max')]
    return {
      tried: (outcome: string) => tried.inc({ outcome }),
      /** @param seconds since the oldest was due, or happened */
      waiting: (waiting: number, seconds: number) => {
        count.set(waiting)
        age.set(seconds)
      },
    }
  }
  const webhooks = queue(
    ['latchkey_webhook_attempts_total', 'Attempts to deliver a webhook, by outcome'],
    ['latchkey_webhooks_waiting', 'Webhook messages of all instances that are not delivered yet'],
    [
      'latchkey_webhooks_overdue_seconds',
      'Time since the oldest undelivered webhook message of all instances was due',
    ],
  )
  const streams = queue(
    [
      'latchkey_audit_stream_attempts_total',
      'Attempts to push a batch of the audit trail, by outcome',
    ],
    [
      'latchkey_audit_streams_behind',
      'Audit streams of all instances whose receivers have not accepted every event',
    ],
    [
      'latchkey_audit_streams_behind_seconds',
      'Age of the oldest event that the receiver of an audit stream has not accepted',
    ],
  )
  const mails = queue(
    ['latchkey_mail_attempts_total', 'Attempts to send a mail, by outcome'],
    ['latchkey_mails_waiting', 'Mails of all instances that are not sent yet'],
    [
      'latchkey_mails_overdue_seconds',
      'Time since the oldest unsent mail of all instances was due',
    ],
  )
  const spans = counter(
    'latchkey_trace_spans_total',
    'Spans sent to the trace collector, by whether it accepted them',
    ['outcome'],
  )
  const turnedAway = counter(
    'latchkey_requests_turned_away_total',
    'Requests refused at once because the server was overloaded',
  )
  const limited = counter(
    'latchkey_requests_limited_total',
    'Requests refused by a rate limit, by limit',
    ['reason'],
  )
  const operatorsRefused = counter(
    'latchkey_operator_tokens_refused_total',
    'Operator API requests with a wrong token',
  )
  const introspections = counter(
    'latchkey_introspections_total',
    'Introspected tokens by kind and by the reason why they were not active',
    ['kind', 'refused'],
  )
  const userinfo = counter(
    'latchkey_userinfo_requests_total',
    'Userinfo requests, by the reason for a refusal',
    ['refused'],
  )
  const signOuts = counter(
    'latchkey_app_sign_outs_total',
    'Sign-outs requested by apps, by outcome',
    ['outcome'],
  )
  const requests = durations(
    'latchkey_http_request_duration_seconds',
    'Time to answer, by route and status class; aborted: the client closed the connection before it had the answer',
    ['route', 'status'],
  )

  return {
    ...{ registry, webhooks, streams, mails },
    stores: createStoreMetrics(declare),
    tokenOutcome: (one: TokenRequestOutcome) => {
      const { interface: generation, grantType, outcome, reason, seconds } = one
      tokenTimes.observe({ interface: generation, grant_type: grantType, outcome }, seconds)
      tokens.inc({ interface: generation, grant_type: grantType, outcome, reason })
    },
    familyEnded: (reason: string) => ended.inc({ reason }),
    introspected: (kind: string, refused: string | null) =>
      introspections.inc({ kind, refused: refused ?? 'no' }),
    userinfoRead: (refused: string | null) => userinfo.inc({ refused: refused ?? 'no' }),
    signOutRequested: (outcome: string) => signOuts.inc({ outcome }),
    /** A request was refused because too many are under way. */
    turnedAway: () => turnedAway.inc(),
    /** The Operator API refused a wrong token. */
    operatorRefused: () => operatorsRefused.inc(),
    /** A request was refused because an address, client or user exceeded its limit. */
    limited: (reason: string) => limited.inc({ reason }),
    auditLost: (count: number) => lost.inc(count),
    /**
     * A grant was answered 503 although the store may have run its command. `recorded`: stored with the grant in time.
     * `late`: not before the answer.
     */
    unsettled: (outcome: 'recorded' | 'late', count: number) => unsettled.inc({ outcome }, count),
    spansExported: (count: number, succeeded: boolean) =>
      spans.inc({ outcome: succeeded ? 'exported' : 'lost' }, count),
    answered: (route: string, status: number, seconds: number) =>
      requests.observe({ route, status: statusClass(status) }, seconds),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
