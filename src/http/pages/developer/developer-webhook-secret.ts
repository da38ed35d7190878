import type { FastifyInstance, FastifyReply } from 'fastify'
import { mostSecrets } from '../../../core/clients/app.ts'
import { Conflict, NotFound } from '../../../core/language/service-errors.ts'
import type { ShownWebhookSecret } from '../../../core/webhooks/app-webhooks.ts'
import type { Webhook } from '../../../core/webhooks/webhooks.ts'
import { accountTabs } from '../account/account-tabs.ts'
import { tamperedForm } from '../rendering/approval-form.ts'
import { field, queried } from '../rendering/forms.ts'
import { textOf } from '../rendering/reader-text.ts'
import { webhookSecretFile } from '../rendering/secret-file.ts'
import type { OwnerVisit } from './developer-gate.ts'
import { overlapOptions, overlapSeconds } from './developer-overlaps.ts'
import {
  type DeveloperWebhooksDependencies,
  leaveTo,
  type WebhookVisit,
  webhookGate,
  webhookPath,
} from './webhook-visit.ts'

/** Seconds that the secret in use keeps working; null: nothing was chosen. */
const overlapIn = ({ request }: WebhookVisit): number | null => {
  switch (field(request, 'in_use')) {
    case 'leaked':
      return 0
    case 'keep': {
      const after = Number(field(request, 'retire_others_after_seconds'))
      if (!overlapSeconds.includes(after)) throw tamperedForm()
      return after
    }
    default:
      return null
  }
}

/** The pages on which an owner replaces the signing secret of a webhook and reads the new one. */
export const developerWebhookSecret = (
  scope: FastifyInstance,
  deps: DeveloperWebhooksDependencies,
) => {
  const { browser, renderer, appWebhooks, oneTimeWebhookSecrets } = deps
  const { asOwner, withWebhook, withRecentSignIn } = webhookGate(deps)

  const form = async (visit: WebhookVisit, error: string | null = null): Promise<FastifyReply> => {
    const { request, reply, session, owned, webhook, at } = visit
    const text = textOf(request)
    const words = text.developer.webhooks.rotation
    const hasRoom = webhook.secrets.length < mostSecrets
    return renderer.page(
      request,
      reply,
      'developer-webhook-rotate',
      { session, title: words.title, ...(error !== null && { status: 400 }) },
      {
        tabs: await accountTabs(text, 'developer', session, deps),
        heading: words.heading(owned.app.name),
        action: `${at}/rotate`,
        backUrl: at,
        newest: webhook.secrets.at(-1)?.id ?? '',
        handover: oneTimeWebhookSecrets.newName(),
        overlaps: hasRoom
          ? overlapOptions(text, Number(field(request, 'retire_others_after_seconds')))
          : null,
        error,
      },
    )
  }

  const rotate = async (visit: WebhookVisit): Promise<FastifyReply> => {
    const { request, owned, webhook, cause, base, at } = visit
    const text = textOf(request)
    const after = overlapIn(visit)
    if (after === null) return form(visit, text.developer.webhooks.rotation.chooseFault)
    const [handover, mark] = [field(request, 'handover'), browser.sessionMark(request)]
    const shownAt = `${base}/webhook-secret?${new URLSearchParams({ handover })}`
    try {
      const newest = field(request, 'newest')
      const made = await appWebhooks.rotate(owned.app.clientId, webhook.id, after, newest, cause)
      const kept = { webhookId: webhook.id, secretId: made.id, secret: made.secret }
      await oneTimeWebhookSecrets.offer(handover, kept, mark)
      return visit.reply.header('cache-control', 'no-store').redirect(shownAt, 303)
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
      // The second click of a double click leads to the secret that the first one made.
      if (await oneTimeWebhookSecrets.isOffered(handover, mark))
        return visit.reply.header('cache-control', 'no-store').redirect(shownAt, 303)
      return error.reason === 'too_many_secrets'
        ? form(visit, text.developer.webhooks.rotation.tooMany)
        : leaveTo(visit, at, 'outdated')
    }
  }

  /** The webhook of a secret that was just made; null when it was deleted meanwhile. */
  const webhookOf = (clientId: string, made: ShownWebhookSecret): Promise<Webhook | null> =>
    appWebhooks.read(clientId, made.webhookId).catch((error: unknown) => {
      if (error instanceof NotFound) return null
      throw error
    })

  /** Shows the new secret once, and answers 410 to every later request. */
  const show = async (visit: OwnerVisit): Promise<FastifyReply> => {
    const { request, reply, session, owned, base } = visit
    const text = textOf(request)
    const words = text.developer.webhooks.secret
    const tabs = await accountTabs(text, 'developer', session, deps)
    // The last step, because the secret can be shown only once.
    const mark = browser.sessionMark(request)
    const made = await oneTimeWebhookSecrets.take(queried(request, 'handover'), mark)
    const webhook = made && (await webhookOf(owned.app.clientId, made))
    const shown = made &&
      webhook && {
        idLabel: words.idLabel,
        clientId: webhook.id,
        secretLabel: words.secretLabel,
        secret: made.secret,
        usage: words.usage,
        ...webhookSecretFile(webhook, made.secret),
      }
    return renderer.page(
      request,
      reply,
      'developer-webhook-secret',
      { session, title: words.title, ...(shown ? { withScript: true } : { status: 410 }) },
      {
        tabs,
        heading: words.heading(owned.app.name),
        shown,
        others: [],
        backUrl: webhook ? `${base}/webhooks/${webhook.id}` : base,
      },
    )
  }

  const rotating = `${webhookPath}/rotate`
  const back = ({ at }: WebhookVisit) => `${at}/rotate`
  scope.get(rotating, withWebhook(withRecentSignIn(back, (visit) => form(visit))))
  scope.post(rotating, withWebhook(withRecentSignIn(back, rotate)))
  scope.get('/developer/apps/:client_id/webhook-secret', asOwner(show))
}
