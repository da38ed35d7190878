import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { type Change, changedFields, type Patch, patched } from '../audit/changes.ts'
import { mostSecrets } from '../clients/app.ts'
import { tooManySecrets } from '../clients/app-secrets.ts'
import { overlapFaults, type Secret } from '../credentials/secrets.ts'
import { newId, secretHint } from '../crypto/identifiers.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { descriptionFaults } from '../language/display-text.ts'
import type { EventType } from '../language/event-types.ts'
import { faultAt } from '../language/faults.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { anyVersion, type Precondition } from '../language/precondition.ts'
import {
  Conflict,
  editConflict,
  found,
  Invalid,
  NotFound,
  refuse,
} from '../language/service-errors.ts'
import type { AddressRules } from '../outbound/addresses.ts'
import type { SendFault } from './schedule.ts'
import { newWebhookSecret } from './signature.ts'
import { eventsFaults, urlFaults } from './subscription-rules.ts'

/** Why a webhook is disabled: by an operator, by a response 410, or after days without a delivery. */
export type DisabledReason = 'operator' | 'gone' | 'failing'

/** The data of a signing secret that can be read after its creation. */
export type WebhookSecret = Pick<Secret, 'id' | 'hint' | 'createdAt' | 'expiresAt'>

/** A subscription to events. */
export interface Webhook {
  id: string
  url: string
  /** The app whose events it receives; null: a webhook of the operator that receives all events. */
  clientId: string | null
  /** null: all, present and future */
  events: readonly string[] | null
  description: string | null
  disabledReason: DisabledReason | null
  /** Active secrets. */
  secrets: WebhookSecret[]
  createdAt: Date
  updatedAt: Date
}

export type WebhookSettings = Pick<
  Webhook,
  'url' | 'clientId' | 'events' | 'description' | 'disabledReason'
>

export type NewWebhook = Pick<WebhookSettings, 'url'> &
  Patch<Pick<WebhookSettings, 'clientId' | 'events' | 'description'>>

export type WebhookPatch = Patch<
  Pick<WebhookSettings, 'url' | 'events' | 'description'> & { disabled: boolean }
>

/** A message to one webhook, and its result. */
export interface Delivery {
  id: string
  type: string
  outcome: 'waiting' | 'delivered' | 'given_up'
  attempts: number
  createdAt: Date
  lastAttemptAt: Date | null
  /** Status of the last response; null: there was none. */
  lastStatus: number | null
  /** Why there was no response. */
  lastError: SendFault | null
  nextAttemptAt: Date | null
}

export interface NewWebhookSecret {
  id: string
  sealed: Buffer
  hint: string
}

/** A creation by an owner of the app. */
export interface WebhookOwner {
  userId: string
  /** Webhooks that the app may have. */
  most: number
  /** The id of the new webhook: a form that is sent again finds it taken. */
  id: string
}

export interface WebhookStore {
  /**
   * @param owner the user must be an owner of the app then, which has fewer than `most` webhooks
   * @returns null when the app does not exist or has no such owner; 'taken': there is a webhook with the id
   */
  insert(
    webhook: WebhookSettings & { id: string },
    secret: NewWebhookSecret,
    events: readonly AuditEvent[],
    owner: WebhookOwner | null,
  ): Promise<Webhook | 'full' | 'taken' | null>
  find(id: string): Promise<Webhook | null>
  list(page: PageRequest): Promise<Page<Webhook>>
  /** All of an app, oldest first. */
  ofApp(clientId: string): Promise<Webhook[]>
  /**
   * Locks the webhook, calls `decide` and writes. Gives up waiting messages when the webhook is disabled or enabled.
   */
  change(id: string, decide: (webhook: Webhook) => Change<WebhookSettings>): Promise<Webhook | null>
  /** Locks the webhook and calls `admit`, which may throw. Also deletes its deliveries. */
  remove(id: string, admit: (webhook: Webhook) => readonly AuditEvent[]): Promise<boolean>
  /**
   * Locks the webhook, lets its active secrets expire in `retireOthersAfter` seconds, calls `admit` and adds the
   * secret. An error of `admit` undoes everything. The lock allows one rotation of a webhook at a time.
   */
  addSecret(
    id: string,
    secret: NewWebhookSecret,
    retireOthersAfter: number,
    admit: (webhook: Webhook, othersActive: number) => readonly AuditEvent[],
  ): Promise<WebhookSecret | null>
  /** Newest first. @returns null when the webhook does not exist */
  deliveries(id: string, page: PageRequest): Promise<Page<Delivery> | null>
  /** Locks the webhook, calls `admit`, which may throw, and adds a test message without data. */
  addTest(
    id: string,
    messageId: string,
    admit: (webhook: Webhook) => readonly AuditEvent[],
  ): Promise<Delivery | null>
  /**
   * Locks the webhook, calls `admit`, which may throw, and makes a message due that does not wait.
   * @returns null when the webhook or the message does not exist, or the message waits
   */
  resend(
    id: string,
    messageId: string,
    admit: (webhook: Webhook) => readonly AuditEvent[],
  ): Promise<Delivery | 'waiting' | null>
}

export interface WebhooksOptions extends AddressRules {
  store: WebhookStore
  keyring: Pick<Keyring, 'seal'>
}

/** The place that a sealed secret is bound to (additional authenticated data). Opening it needs the same value. */
export const webhookSealPlace = (secretId: string) => `webhook_secrets:${secretId}`

const assertEnabled = ({ disabledReason }: Webhook) => {
  if (disabledReason !== null) throw new Conflict('webhook_disabled', 'the webhook is disabled')
}

const distinct = (events: readonly string[] | null) => events && [...new Set(events)]

/**
 * Subscriptions of apps and operators. The audit trail never contains a URL, because the URLs of some services are
 * credentials.
 */
export const createWebhooks = ({ store, keyring, allowPrivate }: WebhooksOptions) => {
  const rules = { allowPrivate }

  const makeSecret = (): { secret: string; stored: NewWebhookSecret } => {
    const secret = newWebhookSecret()
    const id = newId('secret')
    const sealed = keyring.seal(Buffer.from(secret, 'utf8'), webhookSealPlace(id))
    return { secret, stored: { id, sealed, hint: secretHint(secret.replace(/=+$/, '')) } }
  }

  const eventOf = (
    cause: Cause,
    type: EventType,
    { id, clientId }: Pick<Webhook, 'id' | 'clientId'>,
    detail: Record<string, unknown> = {},
  ) => auditEvent(cause, type, { clientId, detail: { webhook_id: id, ...detail } })

  const changeEvents = (before: Webhook, after: WebhookSettings, cause: Cause): AuditEvent[] => {
    const settings = ({ url, events, description }: WebhookSettings) => ({
      url,
      events,
      description,
    })
    const changed = changedFields(settings(before), settings(after))
    const [was, is] = [before.disabledReason, after.disabledReason]
    return [
      ...(changed.length > 0 ? [eventOf(cause, 'webhook.changed', before, { changed })] : []),
      ...(was === null && is !== null
        ? [eventOf(cause, 'webhook.disabled', before, { reason: is })]
        : []),
      ...(was !== null && is === null ? [eventOf(cause, 'webhook.enabled', before)] : []),
    ]
  }

  return {
    /**
     * @param owner null: the operator
     * @returns the webhook and its secret, which cannot be read again
     * @throws Invalid, Conflict too_many_webhooks, changed_meanwhile for an id that is taken
     */
    create: async (
      draft: NewWebhook,
      cause: Cause,
      owner: WebhookOwner | null = null,
    ): Promise<{ webhook: Webhook; secret: string }> => {
      const settings: WebhookSettings = {
        url: draft.url,
        clientId: draft.clientId ?? null,
        events: distinct(draft.events ?? null),
        description: draft.description ?? null,
        disabledReason: null,
      }
      refuse([
        ...urlFaults(settings.url, rules),
        ...eventsFaults(settings.events, settings.clientId),
        ...descriptionFaults('/description', settings.description),
      ])
      const { secret, stored } = makeSecret()
      const id = owner?.id ?? newId('webhook')
      const subject = { id, clientId: settings.clientId }
      const events = [
        eventOf(cause, 'webhook.created', subject, {
          events: settings.events,
          secret_id: stored.id,
        }),
      ]
      const webhook = await store.insert({ ...settings, id }, stored, events, owner)
      if (webhook === 'taken') throw editConflict()
      if (webhook === 'full')
        throw new Conflict('too_many_webhooks', 'the app has as many webhooks as owners may add')
      if (!webhook) throw new Invalid([faultAt('/client_id', 'unknown_app', 'is not an app')])
      return { webhook, secret }
    },

    /** @throws NotFound */
    read: async (id: string): Promise<Webhook> => found(await store.find(id), 'webhook'),

    /** Oldest first. */
    list: (page: PageRequest): Promise<Page<Webhook>> => store.list(page),

    /**
     * Disabling gives up waiting messages; enabling does not restore them.
     * @throws Invalid, NotFound, PreconditionFailed
     */
    change: async (
      id: string,
      patch: WebhookPatch,
      cause: Cause,
      precondition: Precondition<Webhook> = anyVersion,
    ): Promise<Webhook> => {
      const { disabled, events, ...rest } = patch
      refuse([
        ...(patch.url === undefined ? [] : urlFaults(patch.url, rules)),
        ...descriptionFaults('/description', patch.description ?? null),
      ])
      const webhook = await store.change(id, (current) => {
        precondition(current)
        refuse(eventsFaults(events ?? null, current.clientId))
        const values: WebhookSettings = {
          ...patched<WebhookSettings>(current, {
            ...rest,
            ...(events !== undefined && { events: distinct(events) }),
          }),
          disabledReason:
            disabled === undefined
              ? current.disabledReason
              : disabled
                ? (current.disabledReason ?? 'operator')
                : null,
        }
        return { values, events: changeEvents(current, values, cause) }
      })
      return found(webhook, 'webhook')
    },

    /** Deletes the webhook and its waiting messages. @throws NotFound, PreconditionFailed */
    remove: async (
      id: string,
      cause: Cause,
      precondition: Precondition<Webhook> = anyVersion,
    ): Promise<void> => {
      const removed = await store.remove(id, (webhook) => {
        precondition(webhook)
        return [eventOf(cause, 'webhook.deleted', webhook)]
      })
      if (!removed) throw new NotFound('webhook')
    },

    /**
     * Adds a signing secret. Until the others expire, messages are signed with all of them.
     * @param retireOthersAfter maximum seconds until the other active secrets expire; 0: at once
     * @returns the secret, which cannot be read again
     * @throws Invalid, NotFound, Conflict too_many_secrets
     */
    rotate: async (
      id: string,
      retireOthersAfter: number,
      cause: Cause,
      precondition: Precondition<Webhook> = anyVersion,
    ): Promise<WebhookSecret & { secret: string }> => {
      refuse(overlapFaults(retireOthersAfter))
      const { secret, stored } = makeSecret()
      const detail = { secret_id: stored.id, retire_others_after_seconds: retireOthersAfter }
      const added = await store.addSecret(id, stored, retireOthersAfter, (webhook, active) => {
        precondition(webhook)
        if (active >= mostSecrets) throw tooManySecrets()
        return [eventOf(cause, 'webhook.rotated', webhook, detail)]
      })
      return { ...found(added, 'webhook'), secret }
    },

    /** Recent and waiting messages, newest first. @throws NotFound */
    deliveries: async (id: string, page: PageRequest): Promise<Page<Delivery>> =>
      found(await store.deliveries(id, page), 'webhook'),

    /** Sends a test message without data. @throws NotFound, Conflict webhook_disabled */
    test: async (id: string, cause: Cause): Promise<Delivery> => {
      const delivery = await store.addTest(id, newId('webhookMessage'), (webhook) => {
        assertEnabled(webhook)
        return [eventOf(cause, 'webhook.tested', webhook)]
      })
      return found(delivery, 'webhook')
    },

    /**
     * Sends a recent message again, under the same id, at once and by the usual schedule.
     * @throws NotFound, Conflict webhook_disabled, delivery_waits
     */
    resend: async (id: string, messageId: string, cause: Cause): Promise<Delivery> => {
      const delivery = await store.resend(id, messageId, (webhook) => {
        assertEnabled(webhook)
        return [eventOf(cause, 'webhook.resent', webhook, { message_id: messageId })]
      })
      if (delivery === 'waiting')
        throw new Conflict('delivery_waits', 'the message waits, and is sent without this')
      return found(delivery, 'message')
    },
  }
}

export type Webhooks = ReturnType<typeof createWebhooks>
