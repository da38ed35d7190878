import type {
  NewWebhookSecret,
  Webhook,
  WebhookOwner,
  WebhookSecret,
  WebhookStore,
} from '../../../core/webhooks/webhooks.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { isOwner } from '../clients/app-owners.ts'
import { type Columns, plain, selected } from '../connection/columns.ts'
import { type Database, onForeignKeyViolation, type Queryable } from '../connection/database.ts'
import { listRows } from '../connection/lists.ts'
import { retireSecrets, webhookSecretTable, withSecrets } from '../credentials/secrets.ts'
import { abandonPending, insertTest, listDeliveries, resendDelivery } from './webhook-deliveries.ts'

type WebhookRow = Omit<Webhook, 'secrets'>

const columns = selected<WebhookRow>({
  ...plain('id', 'url', 'clientId', 'events', 'description', 'disabledReason', 'createdAt'),
  ...plain('updatedAt'),
})
const secretColumns: Columns<WebhookSecret> = plain('id', 'hint', 'createdAt', 'expiresAt')

const complete = (on: Queryable, webhooks: readonly WebhookRow[]) =>
  withSecrets(on, webhookSecretTable, secretColumns, webhooks)

const find = async (on: Queryable, id: string, lock: '' | 'for no key update' = '') => {
  const query = `select ${columns} from webhooks where id = $1 ${lock}`
  return (await complete(on, await on.rows<WebhookRow>(query, [id])))[0] ?? null
}

const insertSecret = (tx: Queryable, webhookId: string, secret: NewWebhookSecret) =>
  tx.one<WebhookSecret>(
    `insert into webhook_secrets (id, webhook_id, sealed, hint, created_at)
     values ($1, $2, $3, $4, clock_timestamp()) returning ${selected(secretColumns)}`,
    [secret.id, webhookId, secret.sealed, secret.hint],
  )

/** May this owner add a webhook? The lock of the app allows one addition at a time. */
const roomFor = async (tx: Queryable, clientId: string | null, owner: WebhookOwner) => {
  await tx.query('select from apps where client_id = $1 for no key update', [clientId])
  if (clientId === null || !(await isOwner(tx, clientId, owner.userId))) return null
  const present = await tx.count('webhooks where client_id = $1', [clientId])
  return present < owner.most ? 'room' : 'full'
}

/** Subscriptions of operators. Messages are in webhook-deliveries.ts and webhook-outbox.ts. */
export const createWebhookStore = (database: Database): WebhookStore => ({
  insert: (webhook, secret, events, owner) =>
    database
      .transaction(async (tx) => {
        const room = owner ? await roomFor(tx, webhook.clientId, owner) : 'room'
        if (room !== 'room') return room
        const row = await tx.row<WebhookRow>(
          `insert into webhooks (id, url, client_id, events, description) values ($1, $2, $3, $4, $5)
           on conflict (id) do nothing returning ${columns}`,
          [webhook.id, webhook.url, webhook.clientId, webhook.events, webhook.description],
        )
        if (!row) return 'taken'
        const added = await insertSecret(tx, webhook.id, secret)
        await insertAuditEvents(tx, events)
        return { ...row, secrets: [added] }
      })
      .catch(onForeignKeyViolation(null)),

  find: (id) => find(database, id),

  list: async (page) => {
    const list = {
      ...{ columns, table: 'webhooks' },
      orders: { url: 'lower(url)' },
      filters: {
        client_id: 'client_id = ?',
        disabled: '(disabled_at is not null) = ?::boolean',
      },
      search: 'position(lower(?) in lower(url)) > 0',
    }
    const found = await listRows<WebhookRow>(database, page, list)
    return { ...found, items: await complete(database, found.items) }
  },

  ofApp: async (clientId) => {
    const query = `select ${columns} from webhooks where client_id = $1 order by created_at, id`
    return complete(database, await database.rows<WebhookRow>(query, [clientId]))
  },

  change: database.inTransaction(async (tx, id, decide) => {
    const current = await find(tx, id, 'for no key update')
    if (!current) return null
    const { values, events } = decide(current)
    if (events.length === 0) return current
    const row = await tx.one<WebhookRow>(
      `update webhooks set url = $2, events = $3, description = $4, disabled_reason = $5,
           disabled_at = case when $5::text is not null then coalesce(disabled_at, now()) end,
           updated_at = now()
         where id = $1 returning ${columns}`,
      [id, values.url, values.events, values.description, values.disabledReason],
    )
    if (values.disabledReason !== current.disabledReason) await abandonPending(tx, id)
    await insertAuditEvents(tx, events)
    return { ...row, secrets: current.secrets }
  }),

  remove: database.inTransaction(async (tx, id, admit) => {
    const current = await find(tx, id, 'for no key update')
    if (!current) return false
    const events = admit(current)
    await tx.query('delete from webhooks where id = $1', [id])
    await tx.query('delete from webhook_deliveries where webhook_id = $1', [id])
    await insertAuditEvents(tx, events)
    return true
  }),

  addSecret: database.inTransaction(async (tx, id, secret, retireOthersAfter, admit) => {
    // Rotations of one webhook run one after the other; each sees the secrets that earlier ones left.
    const current = await find(tx, id, 'for no key update')
    if (!current) return null
    const othersActive = await retireSecrets(tx, webhookSecretTable, id, retireOthersAfter)
    const events = admit(current, othersActive)
    const added = await insertSecret(tx, id, secret)
    await tx.query('update webhooks set updated_at = now() where id = $1', [id])
    await insertAuditEvents(tx, events)
    return added
  }),

  deliveries: async (id, page) => {
    const exists = await database.affects('select id from webhooks where id = $1', [id])
    return exists ? listDeliveries(database, id, page) : null
  },

  addTest: database.inTransaction(async (tx, id, messageId, admit) => {
    const current = await find(tx, id, 'for no key update')
    if (!current) return null
    const events = admit(current)
    const delivery = await insertTest(tx, id, messageId)
    await insertAuditEvents(tx, events)
    return delivery
  }),

  resend: database.inTransaction(async (tx, id, messageId, admit) => {
    const current = await find(tx, id, 'for no key update')
    if (!current) return null
    const events = admit(current)
    const delivery = await resendDelivery(tx, id, messageId)
    if (delivery && delivery !== 'waiting') await insertAuditEvents(tx, events)
    return delivery
  }),
})
