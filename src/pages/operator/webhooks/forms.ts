// Forms that create and change a webhook, replace its signing secret, and send messages.
import { mostSecrets } from '../../../core/clients/app.ts'
import { isIdShaped } from '../../../core/crypto/identifiers.ts'
import { NotFound } from '../../../core/language/service-errors.ts'
import { appEventTypes, webhookEventTypes } from '../../../core/webhooks/events.ts'
import type { InProcessCall } from '../../../http/operator/in-process.ts'
import type { CreatedWebhookJson, WebhookJson } from '../../../http/operator/webhooks/webhooks.ts'
import { eventsField, eventsIn } from '../../rendering/fields/webhook-events.ts'
import { type Body, type Field, textField } from '../../rendering/forms/form-field.ts'
import { fieldRefusal as refusalOfField } from '../../rendering/forms/form-page.ts'
import { fieldRefusal } from '../console-form.ts'
import { chosenOverlap, codeField, overlapField } from '../fields.ts'
import type { OperatorVisit } from '../gate.ts'
import type { Tab } from '../tab.ts'
import { readWebhook, webhookPath, webhooksUrl, webhookUrl } from './webhooks.ts'

/** @param webhook null: a new one, which may be limited to an app */
const fieldsOf = ({ text }: OperatorVisit, webhook: WebhookJson | null): Field[] => {
  const types = webhook?.client_id ? appEventTypes : webhookEventTypes
  const { fields } = text.operator.forms
  return [
    codeField('url', fields.webhookUrl, webhook?.url, {
      hint: fields.webhookUrlHint,
      isRequired: true,
    }),
    ...(webhook === null
      ? [codeField('client_id', fields.onlyApp, null, { whenEmpty: null })]
      : []),
    eventsField(text, types, webhook?.events ?? null),
    textField('description', fields.description, webhook?.description, { whenEmpty: null }),
  ]
}

/** The call of the form. No events at all are no choice. */
const callOf = (
  { text }: OperatorVisit,
  { which, events, ...body }: Body,
  call: Pick<InProcessCall, 'method' | 'path'>,
) => {
  const chosen = eventsIn({ which, events })
  return chosen?.length === 0
    ? fieldRefusal('events', text.developer.webhooks.form.noEvent)
    : { ...call, body: { ...body, events: chosen } }
}

const secretOf = ({ id, url }: WebhookJson, secret: string) => ({
  ...{ name: url, idLabel: 'webhook' as const, id, secret, backUrl: webhookUrl(id) },
})

const creation = ({ form }: Tab) =>
  form(`${webhooksUrl}/new`, 'webhooks:write', (visit) => ({
    ...visit.text.operator.forms.createWebhook,
    fields: fieldsOf(visit, null),
    cancelUrl: webhooksUrl,
    call: (typed) => callOf(visit, typed, { method: 'POST', path: '/webhooks' }),
    secretOf: (made: CreatedWebhookJson) => secretOf(made, made.secret),
  }))

const settings = ({ change }: Tab) =>
  change(`${webhookPath}/change`, 'webhooks:write', readWebhook, ({ item, at }, visit) => {
    const { title, submit } = visit.text.developer.webhooks.form
    return {
      heading: title,
      submit,
      fields: fieldsOf(visit, item),
      call: (typed) => callOf(visit, typed, { method: 'PATCH', path: at }),
    }
  })

const rotation = ({ change }: Tab) =>
  change(`${webhookPath}/rotate`, 'webhooks:write', readWebhook, ({ item, at }, visit) => {
    const { title, lead, submit, full, chooseFault, tooMany } =
      visit.text.developer.webhooks.rotation
    return {
      heading: title,
      lead,
      submit,
      fields: [overlapField(visit.text, item.secrets.length < mostSecrets ? null : full)],
      etag: undefined,
      call: () => {
        const seconds = chosenOverlap(visit.request)
        if (seconds === null) return fieldRefusal('in_use', chooseFault)
        const body = { retire_others_after_seconds: seconds }
        return { method: 'POST', path: `${at}/secrets`, body }
      },
      refused: (refusal) =>
        refusal.status === 409 ? refusalOfField('in_use', tooMany, 409) : refusal,
      secretOf: ({ secret }: { secret: string }) => secretOf(item, secret),
    }
  })

const readDelivery = async (visit: OperatorVisit) => {
  const id = visit.parameter('delivery_id')
  if (!isIdShaped(id)) throw new NotFound('message')
  const { item, at, url, subject } = await readWebhook(visit)
  return { item, url, at: `${at}/deliveries/${id}`, subject: `${subject} ${id}` }
}

const actions = ({ confirm, toggle }: Tab) => {
  toggle(webhookPath, 'webhooks:write', readWebhook, 'Webhook')

  const deliveryPath = `${webhookPath}/deliveries/:delivery_id`
  confirm(`${deliveryPath}/resend`, 'webhooks:write', readDelivery, ({ at }, { text }) => {
    const { resend } = text.developer.webhooks.page
    const { lead } = text.operator.forms.testWebhook
    return {
      words: { heading: resend, lead, submit: resend },
      isHarmless: true,
      call: { method: 'POST', path: `${at}/resend`, body: {} },
      done: 'resent',
    }
  })

  confirm(`${webhookPath}/test`, 'webhooks:write', readWebhook, ({ at }, { text }) => ({
    words: text.operator.forms.testWebhook,
    isHarmless: true,
    etag: undefined,
    call: { method: 'POST', path: `${at}/test`, body: {} },
    done: 'sent',
  }))

  confirm(`${webhookPath}/delete`, 'webhooks:write', readWebhook, (_, { text }) => ({
    words: text.operator.forms.deleteWebhook,
    etag: undefined,
    next: webhooksUrl,
  }))
}

export const operatorWebhookForms = [creation, settings, rotation, actions]
