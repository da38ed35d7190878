// Forms that create and change a webhook, replace its signing secret, and send messages.
import { mostSecrets } from '../../../core/clients/app.ts'
import { isIdShaped } from '../../../core/crypto/identifiers.ts'
import { NotFound } from '../../../core/language/service-errors.ts'
import { appEventTypes, webhookEventTypes } from '../../../core/webhooks/events.ts'
import type { CreatedWebhookJson, WebhookJson } from '../../../http/operator/webhooks/webhooks.ts'
import { eventsField, eventsIn } from '../../rendering/fields/webhook-events.ts'
import type { Body, Field } from '../../rendering/forms/form-field.ts'
import { fieldRefusal as refusalOfField } from '../../rendering/forms/form-page.ts'
import type { ApiCall } from '../api.ts'
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
    {
      ...{ name: 'description', kind: 'text', label: fields.description, whenEmpty: null },
      values: [webhook?.description ?? ''],
    },
  ]
}

/** The call of the form. No events at all are no choice. */
const callOf = (
  { text }: OperatorVisit,
  { which, events, ...body }: Body,
  call: Pick<ApiCall, 'method' | 'path'>,
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

const change = ({ form }: Tab) =>
  form(`${webhookPath}/change`, 'webhooks:write', async (visit) => {
    const { item, etag, at, url } = await readWebhook(visit)
    const { title, submit } = visit.text.developer.webhooks.form
    return {
      heading: title,
      subject: item.url,
      submit,
      fields: fieldsOf(visit, item),
      cancelUrl: url,
      etag,
      call: (typed) => callOf(visit, typed, { method: 'PATCH', path: at }),
    }
  })

const rotation = ({ form }: Tab) =>
  form(`${webhookPath}/rotate`, 'webhooks:write', async (visit) => {
    const { item, at, url } = await readWebhook(visit)
    const { title, lead, submit, full, chooseFault, tooMany } =
      visit.text.developer.webhooks.rotation
    return {
      heading: title,
      subject: item.url,
      lead,
      submit,
      fields: [overlapField(visit.text, item.secrets.length < mostSecrets ? null : full)],
      cancelUrl: url,
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

const resending = ({ confirm }: Tab) =>
  confirm(`${webhookPath}/deliveries/:delivery_id/resend`, 'webhooks:write', async (visit) => {
    const id = visit.parameter('delivery_id')
    if (!isIdShaped(id)) throw new NotFound('message')
    const { item, at, url } = await readWebhook(visit)
    const { resend } = visit.text.developer.webhooks.page
    const { lead } = visit.text.operator.forms.testWebhook
    return {
      words: { heading: resend, lead, submit: resend },
      subject: `${item.url} ${id}`,
      isHarmless: true,
      cancelUrl: url,
      call: { method: 'POST', path: `${at}/deliveries/${id}/resend`, body: {} },
      done: 'resent',
    }
  })

const actions = ({ confirm }: Tab) => {
  for (const name of ['disable', 'enable'] as const)
    confirm(`${webhookPath}/${name}`, 'webhooks:write', async (visit) => {
      const { item, at, url } = await readWebhook(visit)
      return {
        words: visit.text.operator.forms[`${name}Webhook`],
        subject: item.url,
        isHarmless: name === 'enable',
        cancelUrl: url,
        call: { method: 'PATCH', path: at, body: { disabled: name === 'disable' } },
        done: `${name}d`,
      }
    })

  confirm(`${webhookPath}/test`, 'webhooks:write', async (visit) => {
    const { item, at, url } = await readWebhook(visit)
    return {
      words: visit.text.operator.forms.testWebhook,
      subject: item.url,
      isHarmless: true,
      cancelUrl: url,
      call: { method: 'POST', path: `${at}/test`, body: {} },
      done: 'sent',
    }
  })

  confirm(`${webhookPath}/delete`, 'webhooks:write', async (visit) => {
    const { item, at, url } = await readWebhook(visit)
    return {
      words: visit.text.operator.forms.deleteWebhook,
      subject: item.url,
      cancelUrl: url,
      call: { method: 'DELETE', path: at },
      next: webhooksUrl,
    }
  })
}

export const operatorWebhookForms = (tab: Tab) => {
  creation(tab)
  change(tab)
  rotation(tab)
  resending(tab)
  actions(tab)
}
