import type { DueMessage, WebhookOutbox } from '../../../core/webhooks/delivery.ts'
import type { Attempt } from '../../../core/webhooks/schedule.ts'
import type { DisabledReason } from '../../../core/webhooks/webhooks.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { type Columns, column, computed, of, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { isActive } from '../credentials/secrets.ts'
import { abandonPending } from './webhook-deliveries.ts'

type DueRow = Omit<DueMessage, 'secrets'>

const dueColumns: Columns<DueRow> = {
  webhookId: column,
  clientId: of('webhook'),
  url: of('webhook'),
  id: column,
  type: column,
  data: column,
  createdAt: column,
  attempts: column,
  age: computed('extract(epoch from clock_timestamp() - message.created_at)::float8'),
}

/**
 * Claims the oldest messages of each webhook; rows that another instance is claiming are skipped. The update checks
 * the time again, because it sees a newer version of the row than the selection may have seen.
 */
const claimDue = `with due as (
    select message.webhook_id, message.id from webhooks webhook
    cross join lateral (
      select webhook_id, id, next_attempt_at from webhook_deliveries
      where webhook_id = webhook.id and next_attempt_at <= now()
      order by next_attempt_at limit $2::integer for update skip locked) message
    where webhook.disabled_at is null and webhook.id <> all($3::text[])
    order by message.next_attempt_at limit $1::integer)
  update webhook_deliveries message
  set attempts = message.attempts + 1, last_attempt_at = clock_timestamp(),
    next_attempt_at = clock_timestamp() + make_interval(secs => $4::float8)
  from due join webhooks webhook on webhook.id = due.webhook_id
  where message.webhook_id = due.webhook_id and message.id = due.id
    and message.next_attempt_at <= now()
  returning ${selected(dueColumns, 'message')}`

/** A claim is valid until another instance claims the message, or it is given up. */
const latest = 'webhook_id = $1 and id = $2 and attempts = $3'
const held = `${latest} and next_attempt_at is not null`

const heldBy = ({ webhookId, id, attempts }: DueMessage) => [webhookId, id, attempts]

const cameOf = (attempt: Attempt): [status: number | null, error: string | null] =>
  attempt.kind === 'answered' ? [attempt.status, null] : [null, attempt.fault]

const secretsOf = async (on: Queryable, webhookIds: readonly string[]) => {
  const { rows } = await on.query<{ id: string; webhook_id: string; sealed: Buffer }>(
    `select id, webhook_id, sealed from webhook_secrets
     where webhook_id = any($1) and ${isActive} order by created_at desc, id`,
    [webhookIds],
  )
  return (webhookId: string) =>
    rows.filter((row) => row.webhook_id === webhookId).map(({ id, sealed }) => ({ id, sealed }))
}

const deliveredSince = async (on: Queryable, { webhookId, createdAt }: DueMessage) => {
  const { count } = await on.query(
    'select 1 from webhook_deliveries where webhook_id = $1 and delivered_at > $2 limit 1',
    [webhookId, createdAt],
  )
  return count > 0
}

const disable = async (tx: Queryable, webhookId: string, reason: DisabledReason) => {
  await tx.query(
    `update webhooks set disabled_at = now(), disabled_reason = $2, updated_at = now() where id = $1`,
    [webhookId, reason],
  )
}

/** The outbox as workers use it. */
export const createWebhookOutbox = (database: Database): WebhookOutbox => ({
  claim: async (most, mostOfOne, busy, lease) => {
    const { rows } = await database.query<DueRow>(
      claimDue,
      [most, mostOfOne, busy, lease],
      'claim_webhooks',
    )
    if (rows.length === 0) return []
    const secrets = await secretsOf(
      database,
      rows.map((row) => row.webhookId),
    )
    return rows.map((row) => ({ ...row, secrets: secrets(row.webhookId) }))
  },

  delivered: async (message, attempt) => {
    await database.query(
      `update webhook_deliveries set delivered_at = clock_timestamp(), next_attempt_at = null,
         last_status = $4, last_error = $5 where ${latest}`,
      [...heldBy(message), ...cameOf(attempt)],
    )
  },

  retry: async (message, attempt, after) => {
    await database.query(
      `update webhook_deliveries set last_status = $4, last_error = $5,
         next_attempt_at = clock_timestamp() + make_interval(secs => $6::float8) where ${held}`,
      [...heldBy(message), ...cameOf(attempt), after],
    )
  },

  giveUp: (message, attempt, isGone, eventsOf) =>
    database.transaction(async (tx) => {
      const { webhookId } = message
      // A second failure finds the webhook disabled, with no waiting messages; so it is disabled once.
      const webhook = await tx.query(
        'select id from webhooks where id = $1 and disabled_at is null for no key update',
        [webhookId],
      )
      const { rows } = await tx.query<{ organization_id: string | null }>(
        `update webhook_deliveries set next_attempt_at = null, last_status = $4, last_error = $5
         where ${held} returning organization_id`,
        [...heldBy(message), ...cameOf(attempt)],
      )
      if (webhook.count === 0 || !rows[0]) return
      const own = { organizationId: rows[0].organization_id, count: 1 }
      const disabled = isGone ? 'gone' : (await deliveredSince(tx, message)) ? null : 'failing'
      if (disabled) await disable(tx, webhookId, disabled)
      const others = disabled ? await abandonPending(tx, webhookId) : []
      await insertAuditEvents(tx, eventsOf({ disabled, untold: added(others, own) }))
    }),

  release: async (message) => {
    await database.query(
      `update webhook_deliveries set attempts = attempts - 1, next_attempt_at = clock_timestamp()
       where ${held}`,
      heldBy(message),
    )
  },

  backlog: async () => {
    const { rows } = await database.query<{ waiting: number; overdue: number }>(
      `select count(*)::integer as waiting,
         greatest(0, coalesce(extract(epoch from now() - min(next_attempt_at)), 0))::float8 as overdue
       from webhook_deliveries message join webhooks webhook on webhook.id = message.webhook_id
       where message.next_attempt_at is not null and webhook.disabled_at is null`,
    )
    return rows[0] ?? { waiting: 0, overdue: 0 }
  },
})

type Untold = Awaited<ReturnType<typeof abandonPending>>

const added = (others: Untold, own: Untold[number]): Untold =>
  others.some(({ organizationId }) => organizationId === own.organizationId)
    ? others.map((one) =>
        one.organizationId === own.organizationId ? { ...one, count: one.count + 1 } : one,
      )
    : [...others, own]
