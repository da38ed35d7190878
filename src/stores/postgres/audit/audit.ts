import type { AuditEvent, AuditStore } from '../../../core/audit/audit.ts'
import { newId } from '../../../core/crypto/identifiers.ts'
import { mailDetail, mailTypeOf } from '../../../core/notifications/mail-rules.ts'
import { webhookEventOf } from '../../../core/webhooks/events.ts'
import type { Database, Queryable } from '../connection/database.ts'
import type { Table } from '../connection/lists.ts'
import { insertNotices, noticesOf } from './security-notices.ts'

const columns =
  'type, actor_kind, actor_id, organization_id, client_id, user_id, address, request_id, detail'
const fields = `type, actor ->> 'kind', actor ->> 'id', "organizationId", "clientId", "userId", address, "requestId",
  coalesce(detail, '{}')`
const event = `jsonb_to_recordset($1::jsonb) as event (type text, actor jsonb, "organizationId" text, "clientId" text,
     "userId" text, address text, "requestId" text, detail jsonb)`

const insertEvents = `insert into audit_events (${columns}) select ${fields} from ${event}`

/** Each event about each of the users in $3. */
const insertForUsers = `insert into audit_events (${columns})
 select ${fields.replace('"userId"', 'about.id')} from ${event} cross join unnest($3::text[]) about (id)`

const messages = (at: string) =>
  `jsonb_to_recordset(${at}::jsonb) as message (id text, type text, organization_id text,
     client_id text, for_apps boolean, data jsonb)`

/** Each message about each of the users in $3, with an id of its own. */
const messagesForUsers = `select 'msg' || replace(gen_random_uuid()::text, '-', '') as id, type, organization_id,
     client_id, for_apps, data || jsonb_build_object('user_id', about.id) as data
   from ${messages('$2')} cross join unnest($3::text[]) about (id)`

const insertDeliveries = (
  from: string,
) => `insert into webhook_deliveries (webhook_id, id, type, organization_id, data)
 select webhook.id, message.id, message.type, message.organization_id, message.data
   from ${from}
   join webhooks webhook on webhook.disabled_at is null
     and (webhook.client_id is null or (webhook.client_id = message.client_id and message.for_apps))
     and (webhook.events is null or message.type = any(webhook.events))`

// Queued only while an instance can send mails.
const insertMailEvents = (at: string) => `insert into mail_events
   (id, type, organization_id, client_id, user_id, detail)
 select id, type, "organizationId", "clientId", "userId", detail
   from jsonb_to_recordset(${at}::jsonb) as mail (id text, type text, "organizationId" text,
     "clientId" text, "userId" text, detail jsonb)
  where exists (select from mail_service where seen_at > now() - interval '1 day')`

/** The cause of the mails of an event, if any. */
const mailsOf = (event: AuditEvent) => {
  const type = event.quiet ? null : mailTypeOf(event)
  if (type === null) return []
  const shown = Object.entries(event.detail ?? {}).filter(([name]) => mailDetail.includes(name))
  return [
    {
      ...{ ...event, id: newId('mail'), type },
      detail: {
        ...Object.fromEntries(shown),
        address: event.address ?? null,
        ...(type === 'user.invited' && { inviter_id: event.actor.id }),
      },
    },
  ]
}

/** The webhook message of an event, if any. */
const messagesOf = (event: AuditEvent) => {
  const message = event.quiet ? null : webhookEventOf(event)
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
 * Writes an event and its webhook message for each of these users, in one statement: they differ in the user alone. The
 * event must be one without notices and mails.
 */
export const insertEventForUsers = async (
  on: Queryable,
  event: AuditEvent,
  userIds: readonly string[],
) => {
  const values = [[event], messagesOf(event)].map((part) => JSON.stringify(part))
  await on.query(
    // Made once: each webhook gets the same id.
    `with written as (${insertForUsers}), message as materialized (${messagesForUsers})
     ${insertDeliveries('message')}`,
    [...values, userIds],
  )
}

/**
 * Writes events, and their webhook messages, security notices and causes of mails, in the caller's transaction: all are
 * committed with the change or none. One statement, so that it costs one round trip and needs no transaction of its own.
 */
export const insertAuditEvents = async (on: Queryable, events: readonly AuditEvent[]) => {
  if (events.length === 0) return
  const parts = [
    { rows: events.flatMap(messagesOf), insert: (at: string) => insertDeliveries(messages(at)) },
    { rows: noticesOf(events), insert: insertNotices },
    { rows: events.flatMap(mailsOf), insert: insertMailEvents },
  ].filter((part) => part.rows.length > 0)
  const [last, ...others] = parts.map(({ insert }, at) => insert(`$${at + 2}`))
  const values = [events, ...parts.map((part) => part.rows)].map((part) => JSON.stringify(part))
  if (last === undefined) return void (await on.query(insertEvents, values))
  const before = [insertEvents, ...others].map((text, at) => `part${at} as (${text})`)
  await on.query(`with ${before.join(', ')} ${last}`, values)
}

/** Runs the work in the caller's transaction, or in one of its own. */
const together = <Result>(
  on: Queryable | Database,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> => ('transaction' in on ? on.transaction(work) : work(on))

/**
 * Runs a statement that changes one row and returns it, and writes its events with it.
 * @returns null when it changed none; then no event is written
 */
export const changeRow = <Row extends object>(
  on: Queryable | Database,
  text: string,
  values: readonly unknown[],
  events: readonly AuditEvent[] | ((row: Row) => readonly AuditEvent[]),
): Promise<Row | null> =>
  together(on, async (tx) => {
    const row = await tx.row<Row>(text, values)
    if (row) await insertAuditEvents(tx, typeof events === 'function' ? events(row) : events)
    return row
  })

/** Changes a locked row, with its events; without events it stays as it is. @param change of `updateRow` */
export const writeRow = async <Row extends object>(
  tx: Queryable,
  current: Row,
  change: readonly [text: string, values: readonly unknown[]],
  events: readonly AuditEvent[],
): Promise<Row> =>
  events.length === 0 ? current : ((await changeRow<Row>(tx, ...change, events)) as Row)

/** Runs a statement, and writes the events with it if it has changed a row. @returns false when it changed none */
export const changeRows = (
  on: Queryable | Database,
  text: string,
  values: readonly unknown[],
  events: readonly AuditEvent[],
): Promise<boolean> =>
  together(on, async (tx) => {
    const hasChanged = await tx.affects(text, values)
    if (hasChanged) await insertAuditEvents(tx, events)
    return hasChanged
  })

/** Deletes a row, and writes its events. @returns false when there is none */
export const removeRow = async <Row extends object>(
  database: Database,
  { table, key = 'id', columns }: Table,
  id: string,
  admit: (row: Row) => readonly AuditEvent[],
): Promise<boolean> => {
  const text = `delete from ${table} where ${key} = $1 returning ${columns}`
  return (await changeRow(database, text, [id], admit)) !== null
}

export const createAuditStore = (database: Database): AuditStore => ({
  append: (events) => insertAuditEvents(database, events),
})
