import t from 'tap'
import { eventRules } from '../../../src/core/language/event-types.ts'
import {
  appEventTypes,
  type ReportableEvent,
  testEvent,
  webhookEventOf,
  webhookEventTypes,
} from '../../../src/core/webhooks/events.ts'

/** Audited but not sent: events that any caller can cause in any number, and events of webhooks. */
const untold = [
  'access_token.delegated',
  'access_token.revoked',
  'activity.exported',
  'audit_stream.created',
  'audit_stream.changed',
  'audit_stream.deleted',
  'consent.taken_over',
  'import.stored',
  'install.code_redeemed',
  'grant.ended',
  'grant.asserted',
  'key_set.token_without_expiry',
  'operator_token.refused',
  'scim_token.refused',
  'token.inspected',
  'token.issued_to_workload',
  'token.refused',
  'token.simulated',
  'session.signed_in',
  'session.signed_out',
  'session.sign_in_failed',
  'session.ended',
  'identity.email_conflict',
  'passkey.renamed',
  'user.password_requested',
  'user.mails_changed',
  'webhook.created',
  'webhook.changed',
  'webhook.rotated',
  'webhook.tested',
  'webhook.resent',
  'webhook.enabled',
  'webhook.deleted',
  'webhook.given_up',
]

const trailTypes = Object.keys(eventRules)

const about = { organizationId: 'org1', clientId: 'app1', userId: 'usr1' }

t.test('every audited type is sent or exempt for a reason', async (t) => {
  t.ok(trailTypes.length > 40, 'the types were found')
  for (const type of trailTypes)
    t.equal(webhookEventOf({ type }) === null, untold.includes(type), type)
  for (const type of untold) t.ok(trailTypes.includes(type), `${type} is still there`)
  for (const type of ['nothing', '__proto__', 'constructor', testEvent])
    t.equal(webhookEventOf({ type }), null, type)
})

t.test('public type names are unique', async (t) => {
  t.equal(new Set(webhookEventTypes).size, webhookEventTypes.length)
  for (const type of webhookEventTypes) t.match(type, /^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/)
  for (const type of appEventTypes) t.ok(webhookEventTypes.includes(type))
  t.notOk(webhookEventTypes.includes(testEvent))
})

t.test(
  'an app gets events about itself, and only from organizations that installed it',
  async (t) => {
    t.same([...appEventTypes].sort(), [
      'app.changed',
      'app.disabled',
      'app.enabled',
      'app.twin_changed',
      'app.twin_made',
      'app.twin_removed',
      'app_change.approved',
      'app_change.refused',
      'app_secret.created',
      'app_secret.deleted',
      'connection.ended',
      'connection.restored',
      'consent.changed',
      'consent.granted',
      'grant.moved',
      'grant.reuse_detected',
      'grant.revoked',
      'grant.taken_over',
      'install.changed',
      'install.created',
      'install.deleted',
      'install.permissions_declined',
      'install.resumed',
      'install.self_installed',
      'install.suspended',
      'secret.expiring',
    ])
  },
)

t.test('events carry ids and public details under their wire names', async (t) => {
  const cases: [happening: ReportableEvent, type: string, data: Record<string, unknown>][] = [
    [
      {
        ...about,
        type: 'install.approved',
        detail: { install_id: 'ins1', permissions: [], workspace_ids: null },
      },
      'install.created',
      {
        organization_id: 'org1',
        client_id: 'app1',
        user_id: 'usr1',
        install_id: 'ins1',
        permissions: [],
        workspace_ids: null,
      },
    ],
    [
      { type: 'install.ended', organizationId: 'org1', clientId: 'app1', userId: null },
      'install.deleted',
      { organization_id: 'org1', client_id: 'app1' },
    ],
    [
      { ...about, type: 'grant.reuse_detected', detail: { grant_id: 'internal', generation: 3 } },
      'grant.reuse_detected',
      { organization_id: 'org1', client_id: 'app1', user_id: 'usr1' },
    ],
    [
      {
        type: 'app_secret.created',
        clientId: 'app1',
        detail: { secret_id: 'sec1', retire_others_after_seconds: 60, secret: 'hush' },
      },
      'app_secret.created',
      { client_id: 'app1', secret_id: 'sec1', retire_others_after_seconds: 60 },
    ],
    [
      { type: 'organization.deleted', organizationId: 'org1' },
      'organization.deleted',
      { organization_id: 'org1' },
    ],
  ]
  for (const [happening, type, data] of cases)
    t.match(webhookEventOf(happening), { type, data }, type)
  for (const [happening, type, data] of cases)
    t.same(webhookEventOf(happening)?.data, data, `${type}: and nothing else`)
})

t.test('an audit event without a rule is never sent', async (t) => {
  const detail = { secret: 'hush', code: 'hush', address: '192.0.2.1', email: 'kim@acme.test' }
  for (const type of trailTypes) {
    const event = webhookEventOf({ ...about, type, detail })
    if (!event) continue
    const ids = { organization_id: 'org1', client_id: 'app1', user_id: 'usr1' }
    t.same(event.data, ids, type)
  }
})
