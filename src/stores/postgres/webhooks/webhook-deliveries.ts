import type { PageRequest } from '../../../core/language/paging.ts'
import type { Delivery } from '../../../core/webhooks/deliveries.ts'
import { testEvent } from '../../../core/webhooks/events.ts'
import { computed, plain, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { listRows } from '../connection/lists.ts'

const outcome = `case when delivered_at is not null then 'delivered'
    when next_attempt_at is not null then 'waiting' else 'given_up' end`

const columns = selected<Delivery>({
  ...plain('id', 'type'),
  outcome: computed(outcome),
  ...plain('attempts', 'createdAt', 'lastAttemptAt', 'lastStatus', 'lastError', 'nextAttemptAt'),
})

const deliveries = {
  ...{ columns, table: 'webhook_deliveries', where: 'webhook_id = ?', order: '-created_at' },
  search: 'position(lower(?) in lower(type)) > 0',
  filters: { outcome: `${outcome} = ?`, event: 'type = ?' },
}

/** Newest first, unless the request sorts them. */
export const listDeliveries = (database: Database, webhookId: string, page: PageRequest) =>
  listRows<Delivery>(database, page, deliveries, [webhookId])

/** Inserts a test message without data. */
export const insertTest = (tx: Queryable, webhookId: string, id: string) =>
  tx.one<Delivery>(
    `insert into webhook_deliveries (webhook_id, id, type, data)
     values ($1, $2, $3, $4) returning ${columns}`,
    [webhookId, id, testEvent, { webhook_id: webhookId }],
  )

/**
 * Makes a message due that does not wait. `attempts` goes on: a lower number would be one that an earlier attempt still has.
 * @returns null when there is no such message
 */
export const resendDelivery = async (tx: Queryable, webhookId: string, id: string) => {
  const row = await tx.row<Delivery>(
    `update webhook_deliveries set next_attempt_at = clock_timestamp(), delivered_at = null
     where webhook_id = $1 and id = $2 and next_attempt_at is null returning ${columns}`,
    [webhookId, id],
  )
  if (row) return row
  const waits = await tx.affects(
    'select from webhook_deliveries where webhook_id = $1 and id = $2',
    [webhookId, id],
  )
  return waits ? 'waiting' : null
}

/** @returns the number of undelivered events per organization (null: none) */
export const abandonPending = (tx: Queryable, webhookId: string) =>
  tx.rows<{ organizationId: string | null; count: number }>(
    `with ended as (
       update webhook_deliveries set next_attempt_at = null
       where webhook_id = $1 and next_attempt_at is not null returning organization_id)
     select organization_id as "organizationId", count(*)::integer as count from ended
     group by organization_id order by organization_id`,
    [webhookId],
  )
