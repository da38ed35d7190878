import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { TokenOutcome } from '../token-answer.ts'
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
  auditLost(count: number): void
  webhookTried(outcome: string): void
  /** @param overdue seconds */
  webhooksWaiting(count: number, overdue: number): void
  answered(route: string, status: number, seconds: number): void
  stores: StoreMetrics
}

const grantTypes = new Set(['authorization_code', 'refresh_token', 'client_credentials'])

export const createMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const tokens = new Counter({
    name: 'latchkey_token_requests_total',
    help: 'Token requests by interface, grant type, outcome and sub-reason',
    labelNames: ['interface', 'grant_type', 'outcome', 'reason'] as const,
    registers,
  })
  const ended = new Counter({
    name: 'latchkey_grant_families_ended_total',
    help: 'Grant families that ended, by reason',
    labelNames: ['reason'] as const,
    registers,
  })
  const lost = new Counter({
    name: 'latchkey_audit_events_lost_total',
    help: 'Audit events that could not be written',
    registers,
  })
  const webhooks = new Counter({
    name: 'latchkey_webhook_attempts_total',
    help: 'Attempts to deliver a webhook, by what became of the message',
    labelNames: ['outcome'] as const,
    registers,
  })
  const waiting = new Gauge({
    name: 'latchkey_webhooks_waiting',
    help: 'Webhook messages that are not delivered yet, of all instances',
    registers,
  })
  const overdue = new Gauge({
    name: 'latchkey_webhooks_overdue_seconds',
    help: 'For how long the webhook message that is due longest has been due, of all instances',
    registers,
  })
  const turnedAway = new Counter({
    name: 'latchkey_requests_turned_away_total',
    help: 'Requests refused at once because the server had too much to do',
    registers,
  })
  const introspections = new Counter({
    name: 'latchkey_introspections_total',
    help: 'Tokens introspected by kind, and why they were not active',
    labelNames: ['kind', 'refused'] as const,
    registers,
  })
  const userinfo = new Counter({
    name: 'latchkey_userinfo_requests_total',
    help: 'Userinfo requests, and why they were refused',
    labelNames: ['refused'] as const,
    registers,
  })
  const signOuts = new Counter({
    name: 'latchkey_app_sign_outs_total',
    help: 'Sign-outs that apps asked for, by what became of them',
    labelNames: ['outcome'] as const,
    registers,
  })
  const requests = new Histogram({
    name: 'latchkey_http_request_duration_seconds',
    help: 'Time to answer, by route and status class',
    labelNames: ['route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  })

  return {
    registry,
    stores: createStoreMetrics(registry),
    tokenOutcome: (iface, grantType, outcome, reason) => {
      // What a client made up must not become a label.
      const known = grantTypes.has(grantType) ? grantType : 'other'
      tokens.inc({ interface: iface, grant_type: known, outcome, reason })
    },
    familyEnded: (reason) => ended.inc({ reason }),
    introspected: (kind, refused) => introspections.inc({ kind, refused: refused ?? 'no' }),
    userinfoRead: (refused) => userinfo.inc({ refused: refused ?? 'no' }),
    signOutAsked: (outcome) => signOuts.inc({ outcome }),
    turnedAway: () => turnedAway.inc(),
    auditLost: (count) => lost.inc(count),
    webhookTried: (outcome) => webhooks.inc({ outcome }),
    webhooksWaiting: (count, seconds) => {
      waiting.set(count)
      overdue.set(seconds)
    },
    answered: (route, status, seconds) =>
      requests.observe({ route, status: `${Math.floor(status / 100)}xx` }, seconds),
  }
}
