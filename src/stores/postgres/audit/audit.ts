import type { AuditEvent, AuditStore } from '../../../core/audit/audit.ts'
import { newId } from '../../../core/crypto/identifiers.ts'
import { webhookEventOf } from '../../../core/webhooks/events.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { insertNotices, noticesOf } from './security-notices.ts'

const insertEvents = `insert into audit_events
   (type, actor_kind, actor_id, organization_id, client_id, user_id, address, request_id, detail)
 select type, actor_kind, actor_id, organization_id, client_id, user_id, address, request_id, detail
   from jsonb_to_recordset($1::jsonb) as event (type text, actor_kind text, actor_id text,
     organization_id text, client_id text, user_id text, address text, request_id text, detail jsonb)`

const insertDeliveries = `insert into webhook_deliveries (webhook_id, id, type, organization_id, data)
 select webhook.id, message.id, message.type, message.organization_id, message.data
   from jsonb_to_recordset($2::jsonb) as message (id text, type text, organization_id text,
     client_id text, for_apps boolean, data jsonb)
   join webhooks webhook on webhook.disabled_at is null
     and (webhook.client_id is null or (webhook.client_id = message.client_id and message.for_apps))
     and (webhook.events is null or message.type = any(webhook.events))`

/** The webhook message of an event, if any. */
const messagesOf = (event: AuditEvent) => {
  const message = webhookEventOf(event)
  if (!message) return []
  return [
    {
      id: newId('webhookMessage'),
      type: message.type,
      organization_id: event.organizationId ?? null,
      client_id: event.clientId ?? null,
      for_apps: message.forApps,
      data: message.data,
    },
  ]
}

/**
 * Writes events, and their webhook messages and security notices, in the caller's transaction: all are committed with
 * the change or none. One statement, so that it costs one round trip and needs no transaction of its own.
 */
export const insertAuditEvents = async (on: Queryable, events: readonly AuditEvent[]) => {
  if (events.length === 0) return
  const rows = events.map((event) => ({
    type: event.type,
    actor_kind: event.actor.kind,
    actor_id: event.actor.id,
    organization_id: event.organizationId ?? null,
    client_id: event.clientId ?? null,
    user_id: event.userId ?? null,
    address: event.address ?? null,
    request_id: event.requestId ?? null,
    detail: event.detail ?? {},
  }))
  const messages = events.flatMap(messagesOf)
  const notices = noticesOf(events)
  if (messages.length === 0 && notices.length === 0)
    return void (await on.query(insertEvents, [JSON.stringify(rows)]))
  const values = [JSON.stringify(rows), JSON.stringify(messages)]
  if (notices.length === 0)
    return void (await on.query(`with trail as (${insertEvents}) ${insertDeliveries}`, values))
  await on.query(
    `with trail as (${insertEvents}), told as (${insertNotices('$3')}) ${insertDeliveries}`,
    [...values, JSON.stringify(notices)],
  )
}

export const createAuditStore = (database: Database): AuditStore => ({
  append: (events) => insertAuditEvents(database, events),
})
