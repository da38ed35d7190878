import type { Page, PageRequest } from '../../../core/language/paging.ts'
import { testEvent } from '../../../core/webhooks/events.ts'
import type { SendFault } from '../../../core/webhooks/schedule.ts'
import type { Delivery } from '../../../core/webhooks/webhooks.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { placeColumn, toPage } from '../connection/paging.ts'

interface DeliveryRow {
  id: string
  type: string
  attempts: number
  created_at: Date
  last_attempt_at: Date | null
  last_status: number | null
  last_error: SendFault | null
  next_attempt_at: Date | null
  delivered_at: Date | null
}

const columns = `id, type, attempts, created_at, last_attempt_at, last_status, last_error,
  next_attempt_at, delivered_at`

const toDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  type: row.type,
  outcome: row.delivered_at ? 'delivered' : row.next_attempt_at ? 'waiting' : 'given_up',
  attempts: row.attempts,
  createdAt: row.created_at,
  lastAttemptAt: row.last_attempt_at,
  lastStatus: row.last_status,
  lastError: row.last_error,
  nextAttemptAt: row.next_attempt_at,
})

/** Newest first. */
export const listDeliveries = async (
  database: Database,
  webhookId: string,
  page: PageRequest,
): Promise<Page<Delivery>> => {
  const [micros = null, key = ''] = page.after?.split('.') ?? []
  const { rows } = await database.query<DeliveryRow & { place: string }>(
    `select ${columns}, ${placeColumn('id')} from webhook_deliveries
     where webhook_id = $1 and ($2::float8 is null
       or (created_at, id) < ('epoch'::timestamptz + $2::float8 * interval '1 microsecond', $3::text))
     order by created_at desc, id desc limit $4::integer + 1`,
    [webhookId, micros === null ? null : Number(micros), key, page.limit],
  )
  return toPage(rows, page, toDelivery)
}

/** Inserts a test message without data. */
export const insertTest = async (tx: Queryable, webhookId: string, id: string) => {
  const { rows } = await tx.query<DeliveryRow>(
    `insert into webhook_deliveries (webhook_id, id, type, data)
     values ($1, $2, $3, $4) returning ${columns}`,
    [webhookId, id, testEvent, { webhook_id: webhookId }],
  )
  return toDelivery(rows[0]!)
}

/** @returns the number of undelivered events per organization (null: none) */
export const abandonPending = async (
  tx: Queryable,
  webhookId: string,
): Promise<{ organizationId: string | null; count: number }[]> => {
  const { rows } = await tx.query<{ organization_id: string | null; count: number }>(
    `with ended as (
       update webhook_deliveries set next_attempt_at = null
       where webhook_id = $1 and next_attempt_at is not null returning organization_id)
     select organization_id, count(*)::integer as count from ended
     group by organization_id order by organization_id`,
    [webhookId],
  )
  return rows.map((row) => ({ organizationId: row.organization_id, count: row.count }))
}
