// The forms with which an owner adds, changes and deletes a webhook of an app, and replaces its signing secret.
import type { FastifyInstance } from 'fastify'
import { mostSecrets } from '../../core/clients/app.ts'
import { longestUri } from '../../core/clients/link.ts'
import { Conflict, NotFound } from '../../core/language/service-errors.ts'
import type { WebhookForm } from '../../core/webhooks/app-webhooks.ts'
import { appEventTypes } from '../../core/webhooks/events.ts'
import type { Webhook } from '../../core/webhooks/webhooks.ts'
import type { Text } from '../../words/text.ts'
import { eventsField, eventsIn } from '../rendering/fields/webhook-events.ts'
import { words } from '../rendering/forms/blocks.ts'
import { type Body, type Field, textField } from '../rendering/forms/form-field.ts'
import { fieldRefusal } from '../rendering/forms/form-page.ts'
import { environmentFile, secretPart } from '../rendering/forms/secret-page.ts'
import { field, queried } from '../rendering/forms/sent-values.ts'
import { inUseField, inUseIn } from '../rendering/secret-in-use.ts'
import type { PageServices } from '../sign-in/services.ts'
import { createDeveloperForms, type DeveloperForm, showDeveloper } from './form.ts'
import { type OwnerVisit, ownerGate, type WebhookVisit, webhookGate } from './gate.ts'
import { webhookPath } from './webhooks.ts'

const fieldsOf = (text: Text, webhook: Webhook | null): Field[] => {
  const { developer, faults } = text
  const { form } = developer.webhooks
  return [
    textField('url', form.url, webhook?.url, {
      ...{ hint: form.urlHint, most: longestUri, isRequired: true, isCode: true },
      missing: faults.webhook_url,
    }),
    textField('description', form.description, webhook?.description, {
      ...{ most: 1000, whenEmpty: null },
    }),
    eventsField(text, appEventTypes, webhook?.events ?? null),
  ]
}

const formIn = ({ url, description, ...events }: Body) =>
  ({ url, description, events: eventsIn(events) }) as WebhookForm

const secretOf = ({ base }: OwnerVisit, { oneTimeWebhookSecrets }: PageServices) => ({
  oneTime: oneTimeWebhookSecrets,
  shownAt: (handover: string) => `${base}/webhook-secret?${new URLSearchParams({ handover })}`,
})

const creation = (form: DeveloperForm<OwnerVisit>, deps: PageServices) =>
  form('/developer/apps/:client_id/webhooks/new', (visit) => {
    const { text, session, owned, base, cause } = visit
    const { form: said } = text.developer.webhooks
    const secret = secretOf(visit, deps)
    return {
      title: said.newTitle,
      heading: said.newHeading(owned.app.name),
      fields: fieldsOf(text, null),
      submit: said.submitNew,
      cancelUrl: base,
      secret,
      work: async (body, { handover, mark }) => {
        const given = formIn(body)
        const { clientId } = owned.app
        // The API would take it.
        if (given.events?.length === 0) return fieldRefusal('events', said.noEvent)
        try {
          const place = { userId: session.user.id, clientId, formId: handover }
          const made = await deps.appWebhooks.create(place, given, cause)
          const [first] = made.webhook.secrets
          const shown = { webhookId: made.webhook.id, secretId: first?.id ?? '' }
          await deps.oneTimeWebhookSecrets.offer(handover, { ...shown, secret: made.secret }, mark)
          return secret.shownAt(handover)
        } catch (error) {
          if (!(error instanceof Conflict)) throw error
          // The second click of a double click leads to the secret of the webhook that the first one made.
          const isSecond = error.reason === 'changed_meanwhile'
          return isSecond ? secret.shownAt(handover) : `${base}?done=full`
        }
      },
    }
  })

const change = (form: DeveloperForm<WebhookVisit>, { appWebhooks }: PageServices) =>
  form(`${webhookPath}/change`, ({ text, owned, webhook, cause, at }) => {
    const { form: said } = text.developer.webhooks
    return {
      title: said.title,
      heading: said.heading(owned.app.name),
      fields: fieldsOf(text, webhook),
      submit: said.submit,
      cancelUrl: at,
      work: async (body) => {
        const given = formIn(body)
        if (given.events?.length === 0) return fieldRefusal('events', said.noEvent)
        await appWebhooks.change(webhook, given, cause)
        return `${at}?done=changed`
      },
    }
  })

const rotation = (form: DeveloperForm<WebhookVisit>, deps: PageServices) =>
  form(`${webhookPath}/rotate`, (visit) => {
    const { text, request, owned, webhook, cause, at } = visit
    const { rotation } = text.developer.webhooks
    const hasRoom = webhook.secrets.length < mostSecrets
    const secret = secretOf(visit, deps)
    return {
      title: rotation.title,
      heading: rotation.heading(owned.app.name),
      lead: rotation.lead,
      blocks: hasRoom ? [] : [words(rotation.full, 'plain')],
      fields: [inUseField(text, rotation, hasRoom)],
      submit: rotation.submit,
      cancelUrl: at,
      hidden: { newest: webhook.secrets.at(-1)?.id ?? '' },
      secret,
      work: async (_body, { handover, mark }) => {
        const given = { retireOthersAfter: inUseIn(request) ?? 0, newest: field(request, 'newest') }
        try {
          const made = await deps.appWebhooks.rotate(webhook, given, cause)
          const shown = { webhookId: webhook.id, secretId: made.id, secret: made.secret }
          await deps.oneTimeWebhookSecrets.offer(handover, shown, mark)
          return secret.shownAt(handover)
        } catch (error) {
          if (!(error instanceof Conflict)) throw error
          if (await deps.oneTimeWebhookSecrets.isOffered(handover, mark))
            return secret.shownAt(handover)
          return error.reason === 'too_many_secrets'
            ? fieldRefusal('in_use', rotation.tooMany)
            : `${at}?done=outdated`
        }
      },
    }
  })

const deletion = (form: DeveloperForm<WebhookVisit>, { appWebhooks }: PageServices) =>
  form(`${webhookPath}/delete`, ({ text, owned, webhook, cause, base, at }) => {
    const { title, heading, lead, submit } = text.developer.webhooks.deletion
    return {
      ...{ title, heading: heading(owned.app.name), lead: lead(webhook.url), submit },
      ...{ fields: [], isDanger: true, cancelUrl: at },
      work: async () => {
        await appWebhooks.remove(webhook, cause)
        return `${base}?done=webhook_deleted`
      },
    }
  })

/** The webhook of a secret that was just made; null when it was deleted meanwhile. */
const webhookOf = ({ appWebhooks }: PageServices, clientId: string, id: string) =>
  appWebhooks.read({ clientId, id }).catch((error: unknown) => {
    if (error instanceof NotFound) return null
    throw error
  })

/** Shows the new secret once, and answers 410 to every later request. */
const showSecret = async (visit: OwnerVisit, deps: PageServices) => {
  const { text, request, owned, base } = visit
  const { secret: said } = text.developer.webhooks
  const mark = deps.browser.sessionMark(request)
  const made = await deps.oneTimeWebhookSecrets.take(queried(request, 'handover'), mark)
  const webhook = made && (await webhookOf(deps, owned.app.clientId, made.webhookId))
  const backUrl = webhook ? `${base}/webhooks/${webhook.id}` : base
  const shown = webhook && {
    heading: said.heading(owned.app.name),
    shown: {
      idLabel: said.idLabel,
      clientId: webhook.id,
      secretLabel: said.secretLabel,
      secret: made.secret,
      usage: said.usage,
      ...environmentFile(webhook.id, webhook.url, { WEBHOOK_SECRET: made.secret }),
    },
    lost: said.lost,
    backUrl,
  }
  const part = secretPart(shown, text.developer.secret, backUrl)
  return showDeveloper(deps, visit, { title: said.title, ...part })
}

export const developerWebhookForms = (scope: FastifyInstance, deps: PageServices) => {
  const ofWebhook = createDeveloperForms(scope, deps, webhookGate(deps))
  const asOwner = ownerGate(deps)
  creation(createDeveloperForms(scope, deps, asOwner), deps)
  change(ofWebhook, deps)
  rotation(ofWebhook, deps)
  deletion(ofWebhook, deps)
  const show = (visit: OwnerVisit) => showSecret(visit, deps)
  scope.get('/developer/apps/:client_id/webhook-secret', asOwner(show))
}
