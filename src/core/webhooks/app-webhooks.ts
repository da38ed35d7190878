// The webhooks of one app, as its owners manage them.
import type { Cause } from '../audit/audit.ts'
import { digestOf } from '../crypto/digests.ts'
import { Conflict, editConflict, Invalid, NotFound } from '../language/service-errors.ts'
import type { Webhook, WebhookStore, Webhooks } from './webhooks.ts'

/** Webhooks that owners may give an app. The operator may add more. */
export const mostWebhooksOfApp = 10

type AppWebhookKey = Record<'clientId' | 'id', string>

export interface WebhookForm {
  url: string
  /** null: all, present and future */
  events: string[] | null
  description: string | null
}

interface WebhookRotation {
  retireOthersAfter: number
  /** The newest secret that the form showed. Another one since then is a conflict. */
  newest: string
}

const webhookIdOf = (...form: string[]) => `whk${digestOf(form.join(' ')).slice(0, 22)}`

/** A new signing secret, for the next page. */
export type ShownWebhookSecret = Record<'webhookId' | 'secretId' | 'secret', string>

/**
 * Each operation is that of the operator, for webhooks of this app only; a webhook of another app is not found. Owners do
 * not enable what the operator has disabled.
 */
export const createAppWebhooks = (deps: {
  store: Pick<WebhookStore, 'ofApp'>
  webhooks: Webhooks
}) => {
  const { store, webhooks } = deps

  const read = async ({ clientId, id }: AppWebhookKey): Promise<Webhook & AppWebhookKey> => {
    const webhook = await webhooks.read(id)
    // A webhook keeps its app, so no lock is needed.
    if (webhook.clientId !== clientId) throw new NotFound('webhook')
    return { ...webhook, clientId }
  }

  /** The same operation for the webhooks of one app. @throws NotFound */
  const ofApp =
    <Given extends unknown[], Result>(operate: (id: string, ...given: Given) => Promise<Result>) =>
    async (webhook: AppWebhookKey, ...given: Given): Promise<Result> => {
      const { id } = await read(webhook)
      return operate(id, ...given)
    }

  const newestOf = ({ secrets }: Webhook) => secrets.at(-1)?.id ?? ''

  return {
    read,

    /** Oldest first. */
    list: (clientId: string): Promise<Webhook[]> => store.ofApp(clientId),

    /**
     * `formId` is unique for each form, which makes one webhook however often it is sent.
     * @returns the webhook and its secret, which cannot be read again
     * @throws Invalid, NotFound, Conflict too_many_webhooks, changed_meanwhile for a form that was sent before
     */
    create: async (
      { userId, clientId, formId }: Record<'userId' | 'clientId' | 'formId', string>,
      form: WebhookForm,
      cause: Cause,
    ) => {
      const owner = { userId, most: mostWebhooksOfApp, id: webhookIdOf(userId, clientId, formId) }
      try {
        return await webhooks.create({ ...form, clientId }, cause, owner)
      } catch (error) {
        // The app has no such owner any more.
        const faults = error instanceof Invalid ? error.faults : []
        throw faults.some(({ pointer }) => pointer === '/client_id') ? new NotFound('app') : error
      }
    },

    change: ofApp((id, form: WebhookForm, cause: Cause) => webhooks.change(id, form, cause)),

    /** After failures or a response 410. @throws NotFound, Conflict webhook_disabled */
    enable: ofApp((id, cause: Cause) =>
      webhooks.change(id, { disabled: false }, cause, (current) => {
        if (current?.disabledReason === 'operator')
          throw new Conflict('webhook_disabled', 'the operator has disabled the webhook')
      }),
    ),

    remove: ofApp((id, cause: Cause) => webhooks.remove(id, cause)),

    /**
     * @returns the new secret, which cannot be read again
     * @throws Invalid, NotFound, Conflict changed_meanwhile, too_many_secrets
     */
    rotate: ofApp((id, { retireOthersAfter, newest }: WebhookRotation, cause: Cause) =>
      webhooks.rotate(id, retireOthersAfter, cause, (current) => {
        if (current && newestOf(current) !== newest) throw editConflict()
      }),
    ),

    test: ofApp(webhooks.test),
    deliveries: ofApp(webhooks.deliveries),
    resend: ofApp(webhooks.resend),
  }
}

export type AppWebhooks = ReturnType<typeof createAppWebhooks>
