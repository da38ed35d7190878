// Forms that create and change a webhook, replace its signing secret, and send messages.
import type { FastifyInstance } from 'fastify'
import { mostSecrets } from '../../../core/clients/app.ts'
import { isIdShaped } from '../../../core/crypto/identifiers.ts'
import { NotFound } from '../../../core/language/service-errors.ts'
import type { CreatedWebhookJson, WebhookJson } from '../../../http/operator/webhooks/webhooks.ts'
import type { Body, Field } from '../../rendering/forms/form-field.ts'
import { fieldRefusal as refusalOfField } from '../../rendering/forms/form-page.ts'
import { confirmPage, doneAt, fieldRefusal, formPage } from '../console-form.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import { parameter } from '../parameter.ts'
import { chosenOverlap, overlapField } from '../secret-overlap.ts'
import { readWebhook, webhookPath, webhooksUrl, webhookUrl } from './path.ts'

/** @param webhook null: a new one, which may be limited to an app */
const fieldsOf = ({ text }: OperatorVisit, webhook: WebhookJson | null): Field[] => {
  const { fields } = text.operator.forms
  return [
    {
      name: 'url',
      kind: 'text',
      label: fields.webhookUrl,
      hint: fields.webhookUrlHint,
      values: [webhook?.url ?? ''],
      isRequired: true,
      isCode: true,
    },
    ...(webhook === null
      ? [
          {
            name: 'client_id',
            kind: 'text',
            label: fields.onlyApp,
            whenEmpty: null,
            isCode: true,
          } as const,
        ]
      : []),
    {
      name: 'events',
      kind: 'area',
      label: fields.events,
      hint: fields.eventsHint,
      values: webhook?.events ?? [],
      isCode: true,
    },
    {
      name: 'description',
      kind: 'text',
      label: fields.description,
      values: [webhook?.description ?? ''],
      whenEmpty: null,
    },
  ]
}

/** Without a line there is no limit to some events. */
const bodyOf = ({ events, ...body }: Body): Body => ({
  ...body,
  events: Array.isArray(events) && events.length > 0 ? events : null,
})

const secretOf = ({ id, url }: WebhookJson, secret: string) => ({
  name: url,
  idLabel: 'webhook' as const,
  id,
  secret,
  backUrl: webhookUrl(id),
})

const creation = (scope: FastifyInstance, deps: OperatorPagesDependencies) =>
  formPage(scope, deps, `${webhooksUrl}/new`, 'webhooks:write', (visit) => ({
    tab: 'webhooks',
    ...visit.text.operator.forms.createWebhook,
    fields: fieldsOf(visit, null),
    cancelUrl: webhooksUrl,
    call: (typed) => ({ method: 'POST', path: '/webhooks', body: bodyOf(typed) }),
    secretOf: (made: CreatedWebhookJson) => secretOf(made, made.secret),
    done: doneAt(visit, webhooksUrl, 'created'),
  }))

const change = (scope: FastifyInstance, deps: OperatorPagesDependencies) =>
  formPage(scope, deps, `${webhookPath}/change`, 'webhooks:write', async (visit) => {
    const { item, etag } = await readWebhook(visit)
    const { title, submit } = visit.text.developer.webhooks.form
    return {
      tab: 'webhooks',
      heading: title,
      subject: item.url,
      submit,
      fields: fieldsOf(visit, item),
      cancelUrl: webhookUrl(item.id),
      etag,
      call: (typed) => ({ method: 'PATCH', path: `/webhooks/${item.id}`, body: bodyOf(typed) }),
      done: doneAt(visit, webhookUrl(item.id), 'saved'),
    }
  })

const rotation = (scope: FastifyInstance, deps: OperatorPagesDependencies) =>
  formPage(scope, deps, `${webhookPath}/rotate`, 'webhooks:write', async (visit) => {
    const { item } = await readWebhook(visit)
    const { title, lead, submit, full, chooseFault, tooMany } =
      visit.text.developer.webhooks.rotation
    return {
      tab: 'webhooks',
      heading: title,
      subject: item.url,
      lead,
      submit,
      fields: [overlapField(visit.text, item.secrets.length < mostSecrets ? null : full)],
      cancelUrl: webhookUrl(item.id),
      call: () => {
        const seconds = chosenOverlap(visit.request)
        return seconds === null
          ? fieldRefusal('in_use', chooseFault)
          : {
              method: 'POST',
              path: `/webhooks/${item.id}/secrets`,
              body: { retire_others_after_seconds: seconds },
            }
      },
      refused: (refusal) =>
        refusal.status === 409 ? refusalOfField('in_use', tooMany, 409) : refusal,
      secretOf: ({ secret }: { secret: string }) => secretOf(item, secret),
      done: doneAt(visit, webhookUrl(item.id), 'created'),
    }
  })

const resending = (scope: FastifyInstance, deps: OperatorPagesDependencies) =>
  confirmPage(
    scope,
    deps,
    `${webhookPath}/deliveries/:delivery_id/resend`,
    'webhooks:write',
    async (visit) => {
      const id = parameter(visit.request, 'delivery_id')
      if (!isIdShaped(id)) throw new NotFound('message')
      const { item } = await readWebhook(visit)
      const { resend } = visit.text.developer.webhooks.page
      return {
        tab: 'webhooks',
        words: {
          heading: resend,
          lead: visit.text.operator.forms.testWebhook.lead,
          submit: resend,
        },
        subject: `${item.url} ${id}`,
        isHarmless: true,
        cancelUrl: webhookUrl(item.id),
        call: () => ({
          method: 'POST',
          path: `/webhooks/${item.id}/deliveries/${id}/resend`,
          body: {},
        }),
        done: doneAt(visit, webhookUrl(item.id), 'resent'),
      }
    },
  )

const actions = {
  test: { words: 'testWebhook', method: 'POST', at: '/test', body: {}, done: 'sent' },
  disable: {
    words: 'disableWebhook',
    method: 'PATCH',
    at: '',
    body: { disabled: true },
    done: 'saved',
  },
  enable: {
    words: 'enableWebhook',
    method: 'PATCH',
    at: '',
    body: { disabled: false },
    done: 'saved',
  },
  delete: { words: 'deleteWebhook', method: 'DELETE', at: '', body: undefined, done: 'deleted' },
} as const

export const operatorWebhookForms = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  creation(scope, deps)
  change(scope, deps)
  rotation(scope, deps)
  resending(scope, deps)
  for (const [name, { words, method, at, body, done }] of Object.entries(actions))
    confirmPage(scope, deps, `${webhookPath}/${name}`, 'webhooks:write', async (visit) => {
      const { item } = await readWebhook(visit)
      return {
        tab: 'webhooks',
        words: visit.text.operator.forms[words],
        subject: item.url,
        isHarmless: name === 'test' || name === 'enable',
        cancelUrl: webhookUrl(item.id),
        call: () => ({ method, path: `/webhooks/${item.id}${at}`, body }),
        done: doneAt(visit, name === 'delete' ? webhooksUrl : webhookUrl(item.id), done),
      }
    })
}
