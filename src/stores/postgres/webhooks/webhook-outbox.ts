import type { DueMessage, WebhookOutbox } from '../../../core/webhooks/delivery.ts'
import type { Attempt } from '../../../core/webhooks/schedule.ts'
import type { DisabledReason } from '../../../core/webhooks/webhooks.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { ownerOfApp } from '../clients/app-owners.ts'
import { backlogIn } from '../connection/backlog.ts'
import { type Columns, computed, plain, plainOf, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { isActive } from '../credentials/secrets.ts'
import { abandonPending } from './webhook-deliveries.ts'

type DueRow = Omit<DueMessage, 'secrets'>
type Claimed = DueRow & { turn: string | null }

const dueColumns: Columns<DueRow> = {
  ...plainOf('webhook', 'clientId', 'url'),
  ...plain('webhookId', 'id', 'type', 'data', 'createdAt', 'attempts'),
  age: computed('extract(epoch from clock_timestamp() - message.created_at)::float8'),
}

const mostWaiting = 1000
const mostOfOwner = 50

const findWaiting = `with due as (
    select webhook.id, webhook.client_id, oldest.next_attempt_at from webhooks webhook
    cross join lateral (
      select next_attempt_at from webhook_deliveries
      where webhook_id = webhook.id and next_attempt_at <= now()
      order by next_attempt_at limit 1) oldest
    where webhook.disabled_at is null and (webhook.client_id is null) = $1::boolean),
  owned as (
    select id, next_attempt_at, coalesce(${ownerOfApp('due.client_id')}, id) as owner from due),
  ranked as (
    select id, owner, next_attempt_at,
      row_number() over (partition by owner order by next_attempt_at, id) as place from owned)
  select id as "webhookId", owner from ranked where place <= ${mostOfOwner}
  order by place, next_attempt_at limit ${mostWaiting}`

/** What takes turns within a webhook, as the index `webhook_deliveries_turns` has it. */
const turn = `(coalesce(organization_id, data ->> 'client_id', ''))`
const isDue = 'webhook_id = $1 and next_attempt_at <= now()'

/**
 * Rows that another instance is claiming are skipped. The update checks the time again, because it sees a newer version
 * of the row than the selection may have seen.
 */
const claimDue = `with taken as (
    select coalesce(
      (select ${turn} from webhook_deliveries where ${isDue} and ${turn} > $2 order by ${turn} limit 1),
      (select ${turn} from webhook_deliveries where ${isDue} order by ${turn} limit 1)) as turn),
  due as (
    select webhook_id, id from webhook_deliveries
    where ${isDue} and ${turn} = (select turn from taken)
    order by next_attempt_at limit 1 for update skip locked),
  claimed as (
    update webhook_deliveries message
    set attempts = message.attempts + 1, last_attempt_at = clock_timestamp(),
      next_attempt_at = clock_timestamp() + make_interval(secs => $3::float8)
    from due join webhooks webhook on webhook.id = due.webhook_id and webhook.disabled_at is null
    where message.webhook_id = due.webhook_id and message.id = due.id
      and message.next_attempt_at <= now()
    returning ${selected(dueColumns, 'message')})
  select taken.turn, claimed.* from taken left join claimed on true`

/** A claim is valid until another instance claims the message, or it is given up. */
const latest = 'webhook_id = $1 and id = $2 and attempts = $3'
const held = `${latest} and next_attempt_at is not null`

const heldBy = ({ webhookId, id, attempts }: DueMessage) => [webhookId, id, attempts]

const cameOf = (attempt: Attempt): [status: number | null, error: string | null] =>
  attempt.kind === 'answered' ? [attempt.status, null] : [null, attempt.fault]

const secretsOf = (on: Queryable, webhookId: string) =>
  on.rows<DueMessage['secrets'][number]>(
    `select id, sealed from webhook_secrets
     where webhook_id = $1 and ${isActive} order by created_at desc, id`,
    [webhookId],
  )

const deliveredSince = (on: Queryable, { webhookId, createdAt }: DueMessage) =>
  on.affects(
    'select 1 from webhook_deliveries where webhook_id = $1 and delivered_at > $2 limit 1',
    [webhookId, createdAt],
  )

const disable = (tx: Queryable, webhookId: string, reason: DisabledReason) =>
  tx.run(
    `update webhooks set disabled_at = now(), disabled_reason = $2, updated_at = now() where id = $1`,
    [webhookId, reason],
  )

export const createWebhookOutbox = (database: Database): WebhookOutbox => ({
  waiting: (share) => database.rows(findWaiting, [share === 'operator'], 'waiting_webhooks'),

  claim: async (...given) => {
    const row = await database.one<Claimed>(claimDue, given, 'claim_webhooks')
    if (row.turn === null) return null
    const { turn: organization, ...message } = row
    // The outer join leaves every column empty when there is no message.
    if (message.webhookId === null) return { organization, message: null }
    const secrets = await secretsOf(database, message.webhookId)
    return { organization, message: { ...message, secrets } }
  },

  delivered: (message, attempt) =>
    database.run(
      `update webhook_deliveries set delivered_at = clock_timestamp(), next_attempt_at = null,
         last_status = $4, last_error = $5 where ${latest}`,
      [...heldBy(message), ...cameOf(attempt)],
    ),

  retry: (message, attempt, after) =>
    database.run(
      `update webhook_deliveries set last_status = $4, last_error = $5,
         next_attempt_at = clock_timestamp() + make_interval(secs => $6::float8) where ${held}`,
      [...heldBy(message), ...cameOf(attempt), after],
    ),

  giveUp: database.inTransaction(async (tx, message, attempt, isGone, eventsOf) => {
    const { webhookId } = message
    // A second failure finds the webhook disabled, with no waiting messages; so it is disabled once.
    const isEnabled = await tx.affects(
      'select id from webhooks where id = $1 and disabled_at is null for no key update',
      [webhookId],
    )
    const row = await tx.row<{ organization_id: string | null }>(
      `update webhook_deliveries set next_attempt_at = null, last_status = $4, last_error = $5
         where ${held} returning organization_id`,
      [...heldBy(message), ...cameOf(attempt)],
    )
    if (!isEnabled || !row) return
    const own = { organizationId: row.organization_id, count: 1 }
    const disabled = isGone ? 'gone' : (await deliveredSince(tx, message)) ? null : 'failing'
    if (disabled) await disable(tx, webhookId, disabled)
    const others = disabled ? await abandonPending(tx, webhookId) : []
    await insertAuditEvents(tx, eventsOf({ disabled, untold: added(others, own) }))
  }),

  release: (message) =>
    database.run(
      `update webhook_deliveries set attempts = attempts - 1, next_attempt_at = clock_timestamp()
       where ${held}`,
      heldBy(message),
    ),

  backlog: () =>
    backlogIn(
      database,
      `webhook_deliveries message join webhooks webhook on webhook.id = message.webhook_id
       where message.next_attempt_at is not null and webhook.disabled_at is null`,
    ),
})

type Untold = Awaited<ReturnType<typeof abandonPending>>

const added = (others: Untold, own: Untold[number]): Untold =>
  others.some(({ organizationId }) => organizationId === own.organizationId)
    ? others.map((one) =>
        one.organizationId === own.organizationId ? { ...one, count: one.count + 1 } : one,
      )
    : [...others, own]
