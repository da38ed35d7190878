import { collectDefaultMetrics, Registry } from 'prom-client'
import type { TokenOutcome } from '../oauth/token-answer.ts'
import { declareIn } from './declare.ts'
import { createStoreMetrics, type StoreMetrics } from './store-metrics.ts'

export interface Metrics {
  registry: Registry
  tokenOutcome: TokenOutcome
  familyEnded(reason: string): void
  introspected(kind: string, refused: string | null): void
  userinfoRead(refused: string | null): void
  signOutAsked(outcome: string): void
  /** Refused at the door: too much is under way already. */
  turnedAway(): void
  /** Refused by the Operator API because its token was wrong. */
  operatorRefused(): void
  /** Refused because one address, client or person has asked too often. */
  limited(reason: string): void
  auditLost(count: number): void
  /** Answered 503 although the command may have run: recorded with the grant, or not before the answer. */
  unsettled(outcome: 'recorded' | 'late', count: number): void
  webhookTried(outcome: string): void
  /** @param overdue seconds */
  webhooksWaiting(count: number, overdue: number): void
  spansExported(count: number, succeeded: boolean): void
  answered(route: string, status: number, seconds: number): void
  stores: StoreMetrics
}

export const createMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Of several workers the one that is stuck counts, not the mean of all.
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
  ended.inc({ reason: 'reuse_detected' }, 0) // or the first one would be no increase
  const lost = counter('latchkey_audit_events_lost_total', 'Audit events that could not be written')
  const unsettled = counter(
    'latchkey_unsettled_requests_total',
    'Grants with a request that was answered 503 although its command may have run, by whether that was recorded in time',
    ['outcome'],
  )
  for (const outcome of ['recorded', 'late']) unsettled.inc({ outcome }, 0)
  const webhooks = counter(
    'latchkey_webhook_attempts_total',
    'Attempts to deliver a webhook, by what became of the message',
    ['outcome'],
  )
  const waiting = gauge(
    'latchkey_webhooks_waiting',
    'Webhook messages that are not delivered yet, of all instances',
    'max',
  )
  const overdue = gauge(
    'latchkey_webhooks_overdue_seconds',
    'For how long the webhook message that is due longest has been due, of all instances',
    'max',
  )
  const spans = counter(
    'latchkey_trace_spans_total',
    'Spans sent to the collector, by whether it has taken them',
    ['outcome'],
  )
  const turnedAway = counter(
    'latchkey_requests_turned_away_total',
    'Requests refused at once because the server had too much to do',
  )
  const limited = counter(
    'latchkey_requests_limited_total',
    'Requests refused because somebody asked too often, by which limit',
    ['reason'],
  )
  const operatorsRefused = counter(
    'latchkey_operator_tokens_refused_total',
    'Requests of the Operator API whose token was wrong',
  )
  const introspections = counter(
    'latchkey_introspections_total',
    'Tokens introspected by kind, and why they were not active',
    ['kind', 'refused'],
  )
  const userinfo = counter(
    'latchkey_userinfo_requests_total',
    'Userinfo requests, and why they were refused',
    ['refused'],
  )
  const signOuts = counter(
    'latchkey_app_sign_outs_total',
    'Sign-outs that apps asked for, by what became of them',
    ['outcome'],
  )
  const requests = durations(
    'latchkey_http_request_duration_seconds',
    'Time to answer, by route and status class',
    ['route', 'status'],
  )

  return {
    registry,
    stores: createStoreMetrics(declareIn(registry)),
    tokenOutcome: ({ interface: generation, grantType, outcome, reason, seconds }) => {
      tokenTimes.observe({ interface: generation, grant_type: grantType, outcome }, seconds)
      tokens.inc({ interface: generation, grant_type: grantType, outcome, reason })
    },
    familyEnded: (reason) => ended.inc({ reason }),
    introspected: (kind, refused) => introspections.inc({ kind, refused: refused ?? 'no' }),
    userinfoRead: (refused) => userinfo.inc({ refused: refused ?? 'no' }),
    signOutAsked: (outcome) => signOuts.inc({ outcome }),
    turnedAway: () => turnedAway.inc(),
    operatorRefused: () => operatorsRefused.inc(),
    limited: (reason) => limited.inc({ reason }),
    auditLost: (count) => lost.inc(count),
    unsettled: (outcome, count) => unsettled.inc({ outcome }, count),
    webhookTried: (outcome) => webhooks.inc({ outcome }),
    webhooksWaiting: (count, seconds) => {
      waiting.set(count)
      overdue.set(seconds)
    },
    spansExported: (count, succeeded) =>
      spans.inc({ outcome: succeeded ? 'exported' : 'lost' }, count),
    answered: (route, status, seconds) =>
      requests.observe({ route, status: `${Math.floor(status / 100)}xx` }, seconds),
  }
}
