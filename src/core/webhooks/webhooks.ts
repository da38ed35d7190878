import type { AuditEvent, Cause } from '../audit/audit.ts'
import { type Change, changedFields, type Patch, patched, removal } from '../audit/changes.ts'
import { mostSecrets } from '../clients/app.ts'
import { tooManySecrets } from '../clients/app-secrets.ts'
import { fetchedUrlFaults } from '../clients/workloads.ts'
import { overlapFaults, type Secret } from '../credentials/secrets.ts'
import { newId, secretHint } from '../crypto/identifiers.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { descriptionFaults } from '../language/display-text.ts'
import { faultAt, faultsOfItems } from '../language/faults.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { anyVersion, type Precondition } from '../language/precondition.ts'
import {
  Conflict,
  editConflict,
  found,
  Invalid,
  idTaken,
  refuse,
} from '../language/service-errors.ts'
import type { AddressRules } from '../outbound/addresses.ts'
import { createDeliveries, type DeliveryStore, webhookEvent } from './deliveries.ts'
import { appEventTypes, webhookEventTypes } from './events.ts'
import { newWebhookSecret, webhookSealPlace, webhookSecretFaults } from './signature.ts'

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

export type WebhookSettings = Omit<Webhook, 'id' | 'secrets' | 'createdAt' | 'updatedAt'>

/** What its owner chooses. */
type Chosen = Pick<Webhook, 'url' | 'events' | 'description'>

export type NewWebhook = Pick<Webhook, 'url'> &
  Patch<Chosen & Pick<Webhook, 'id' | 'clientId'> & { secret: string }>

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

export interface WebhookStore extends DeliveryStore {
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
  /** Locks the webhook, calls `decide` and writes. Gives up waiting messages when it is disabled or enabled. */
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
}

const distinct = (events: readonly string[] | null) => events && [...new Set(events)]

/** Unknown types, and types that apps do not receive. @param clientId null: a webhook of the operator */
const eventsFaults = (events: readonly string[], clientId: string | null) => {
  const known = clientId === null ? webhookEventTypes : appEventTypes
  const detail = `is not a type of event${clientId === null ? '' : ' that apps receive'}`
  return faultsOfItems(events, (type) => !known.includes(type), '/events', 'event_type', detail)
}

/**
 * Subscriptions of apps and operators. The audit trail never contains a URL, because the URLs of some services are
 * credentials.
 */
export const createWebhooks = (
  deps: AddressRules & { store: WebhookStore; keyring: Pick<Keyring, 'seal'> },
) => {
  const { store, keyring } = deps

  const makeSecret = (secret = newWebhookSecret()) => {
    const id = newId('secret')
    const sealed = keyring.seal(Buffer.from(secret, 'utf8'), webhookSealPlace(id))
    return { secret, stored: { id, sealed, hint: secretHint(secret.replace(/=+$/, '')) } }
  }

  const changeEvents = (before: Webhook, after: WebhookSettings, cause: Cause): AuditEvent[] => {
    const { disabledReason: is, ...chosen } = after
    const changed = changedFields<typeof chosen>(before, chosen)
    const was = before.disabledReason
    return [
      ...(changed.length > 0 ? [webhookEvent(cause, 'webhook.changed', before, { changed })] : []),
      ...(was === null && is !== null
        ? [webhookEvent(cause, 'webhook.disabled', before, { reason: is })]
        : []),
      ...(was !== null && is === null ? [webhookEvent(cause, 'webhook.enabled', before)] : []),
    ]
  }

  return {
    /**
     * @param owner null: the operator
     * @returns the webhook and its secret, which cannot be read again
     * @throws Invalid, Conflict too_many_webhooks, id_taken, changed_meanwhile for an owner's id that is taken
     */
    create: async (draft: NewWebhook, cause: Cause, owner: WebhookOwner | null = null) => {
      const settings: WebhookSettings = {
        url: draft.url,
        clientId: draft.clientId ?? null,
        events: distinct(draft.events ?? null),
        description: draft.description ?? null,
        disabledReason: null,
      }
      refuse([
        ...fetchedUrlFaults('/url', settings.url, deps, 'webhook_url'),
        ...eventsFaults(settings.events ?? [], settings.clientId),
        ...descriptionFaults('/description', settings.description),
        ...webhookSecretFaults(draft.secret),
      ])
      const { secret, stored } = makeSecret(draft.secret)
      const added = { ...settings, id: owner?.id ?? draft.id ?? newId('webhook') }
      const detail = { events: settings.events, secret_id: stored.id }
      const event = webhookEvent(cause, 'webhook.created', added, detail)
      const webhook = await store.insert(added, stored, [event], owner)
      if (webhook === 'taken') throw owner ? editConflict() : idTaken('another webhook')
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
      patch: Patch<Chosen & { disabled: boolean }>,
      cause: Cause,
      precondition: Precondition<Webhook> = anyVersion,
    ): Promise<Webhook> => {
      const { disabled, events, ...rest } = patch
      refuse([
        ...fetchedUrlFaults('/url', patch.url, deps, 'webhook_url'),
        ...descriptionFaults('/description', patch.description ?? null),
      ])
      const webhook = await store.change(id, (current) => {
        precondition(current)
        refuse(eventsFaults(events ?? [], current.clientId))
        const values: WebhookSettings = {
          ...patched<WebhookSettings>(current, { ...rest, events: events && distinct(events) }),
          disabledReason:
            disabled === false ? null : (current.disabledReason ?? (disabled ? 'operator' : null)),
        }
        return { values, events: changeEvents(current, values, cause) }
      })
      return found(webhook, 'webhook')
    },

    /** Deletes the webhook and its waiting messages. @throws NotFound, PreconditionFailed */
    remove: removal('webhook', store.remove, (cause, webhook) =>
      webhookEvent(cause, 'webhook.deleted', webhook),
    ),

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
        return [webhookEvent(cause, 'webhook.rotated', webhook, detail)]
      })
      return { ...found(added, 'webhook'), secret }
    },

    ...createDeliveries(store),
  }
}

export type Webhooks = ReturnType<typeof createWebhooks>
