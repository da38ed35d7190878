import { collectDefaultMetrics, Registry } from 'prom-client'
import type { TokenRequestOutcome } from '../oauth/outcome.ts'
import { brokenOff } from '../server/answers.ts'
import { declareIn } from './declare.ts'
import { createStoreMetrics } from './store-metrics.ts'

const statusClass = (status: number) =>
  status === brokenOff ? 'aborted' : `${Math.floor(status / 100)}xx`

export const createMetrics = () => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Report the worst worker, not the mean of all.
  const lag = registry.getSingleMetric('nodejs_eventloop_lag_p99_seconds')
  Object.assign(lag ?? {}, { aggregator: 'max' })
  const { counter, gauge, durations } = declareIn(registry)
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
  const webhooks = counter(
    'latchkey_webhook_attempts_total',
    'Attempts to deliver a webhook, by outcome',
    ['outcome'],
  )
  const waiting = gauge(
    'latchkey_webhooks_waiting',
    'Webhook messages of all instances that are not delivered yet',
    'max',
  )
  const overdue = gauge(
    'latchkey_webhooks_overdue_seconds',
    'Time since the oldest undelivered webhook message of all instances was due',
    'max',
  )
  const streams = counter(
    'latchkey_audit_stream_attempts_total',
    'Attempts to push a batch of the audit trail, by outcome',
    ['outcome'],
  )
  const behind = gauge(
    'latchkey_audit_streams_behind',
    'Audit streams of all instances whose receivers have not accepted every event',
    'max',
  )
  const late = gauge(
    'latchkey_audit_streams_behind_seconds',
    'Age of the oldest event that the receiver of an audit stream has not accepted',
    'max',
  )
  const mails = counter('latchkey_mail_attempts_total', 'Attempts to send a mail, by outcome', [
    'outcome',
  ])
  const mailsWaiting = gauge(
    'latchkey_mails_waiting',
    'Mails of all instances that are not sent yet',
    'max',
  )
  const mailsOverdue = gauge(
    'latchkey_mails_overdue_seconds',
    'Time since the oldest unsent mail of all instances was due',
    'max',
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
    registry,
    stores: createStoreMetrics(declareIn(registry)),
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
    webhookTried: (outcome: string) => webhooks.inc({ outcome }),
    /** @param seconds overdue */
    webhooksWaiting: (count: number, seconds: number) => {
      waiting.set(count)
      overdue.set(seconds)
    },
    streamTried: (outcome: string) => streams.inc({ outcome }),
    /** @param seconds age of the oldest event that waits */
    streamsBehind: (count: number, seconds: number) => {
      behind.set(count)
      late.set(seconds)
    },
    mailTried: (outcome: string) => mails.inc({ outcome }),
    /** @param seconds overdue */
    mailsWaiting: (count: number, seconds: number) => {
      mailsWaiting.set(count)
      mailsOverdue.set(seconds)
    },
    spansExported: (count: number, succeeded: boolean) =>
      spans.inc({ outcome: succeeded ? 'exported' : 'lost' }, count),
    answered: (route: string, status: number, seconds: number) =>
      requests.observe({ route, status: statusClass(status) }, seconds),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
