import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { longestUri } from '../../../core/clients/link.ts'
import { Conflict, Invalid } from '../../../core/language/service-errors.ts'
import type { WebhookForm } from '../../../core/webhooks/app-webhooks.ts'
import { appEventTypes } from '../../../core/webhooks/events.ts'
import { accountTabs } from '../account/account-tabs.ts'
import { field, fields } from '../rendering/forms.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { OwnerVisit } from './developer-gate.ts'
import {
  type DeveloperWebhooksDependencies,
  leaveTo,
  type WebhookVisit,
  webhookGate,
  webhookPath,
} from './webhook-visit.ts'

const readForm = (request: FastifyRequest): WebhookForm => ({
  url: field(request, 'url')
    .trim()
    .slice(0, longestUri + 1),
  events: field(request, 'which') === 'all' ? null : fields(request, 'events'),
  description: field(request, 'description').trim() || null,
})

const emptyForm: WebhookForm = { url: '', events: null, description: null }

/** The fields that faults are about. A form without any event is at fault, although the API would take it. */
const faultyIn = (form: WebhookForm, error: unknown): string[] | null => {
  if (form.events?.length === 0) return ['events']
  if (!(error instanceof Invalid)) return null
  return error.faults.map(({ pointer }) => pointer.split('/')[1] ?? '')
}

/** The pages on which an owner adds, changes and deletes a webhook of an app. */
export const developerWebhookForm = (
  scope: FastifyInstance,
  deps: DeveloperWebhooksDependencies,
) => {
  const { browser, renderer, appWebhooks, oneTimeWebhookSecrets } = deps
  const { asOwner, withWebhook, withRecentSignIn } = webhookGate(deps)

  const show = async (
    visit: OwnerVisit & Partial<WebhookVisit>,
    given: WebhookForm,
    faulty: string[] = [],
  ): Promise<FastifyReply> => {
    const { request, reply, session, owned, base, at } = visit
    const text = textOf(request)
    const words = text.developer.webhooks.form
    const said = { ...words.faults, url: text.faults.webhook_url }
    const faults = Object.fromEntries(
      (['url', 'events', 'description'] as const)
        .filter((name) => faulty.includes(name))
        .map((name) => [name, said[name]]),
    )
    return renderer.page(
      request,
      reply,
      'developer-webhook-form',
      {
        session,
        title: at ? words.title : words.newTitle,
        ...(faulty.length > 0 && { status: 400 }),
      },
      {
        tabs: await accountTabs(text, 'developer', session, deps),
        heading: (at ? words.heading : words.newHeading)(owned.app.name),
        action: at ? `${at}/change` : `${base}/webhooks/new`,
        backUrl: at ?? base,
        submit: at ? words.submit : words.submitNew,
        handover: oneTimeWebhookSecrets.newName(),
        given: { url: given.url, description: given.description ?? '' },
        isEvery: given.events === null,
        events: appEventTypes.map((type) => ({
          type,
          isChosen: given.events?.includes(type) ?? false,
        })),
        faults,
        error: Object.values(faults)[0] ?? null,
      },
    )
  }

  const create = async (visit: OwnerVisit): Promise<FastifyReply> => {
    const { request, session, owned, base, cause } = visit
    const { clientId } = owned.app
    const form = readForm(request)
    const [handover, mark] = [field(request, 'handover'), browser.sessionMark(request)]
    const shownAt = `${base}/webhook-secret?${new URLSearchParams({ handover })}`
    const faulty = faultyIn(form, null)
    if (faulty) return show(visit, form, faulty)
    const userId = session.user.id
    try {
      const { webhook, secret } = await appWebhooks.create(userId, clientId, form, handover, cause)
      const made = { webhookId: webhook.id, secretId: webhook.secrets[0]?.id ?? '', secret }
      await oneTimeWebhookSecrets.offer(handover, made, mark)
      return visit.reply.header('cache-control', 'no-store').redirect(shownAt, 303)
    } catch (error) {
      // The second click of a double click leads to the secret of the webhook that the first one made.
      if (error instanceof Conflict && error.reason === 'changed_meanwhile')
        return visit.reply.header('cache-control', 'no-store').redirect(shownAt, 303)
      if (error instanceof Conflict) return leaveTo(visit, base, 'full')
      const fields = faultyIn(form, error)
      if (!fields) throw error
      return show(visit, form, fields)
    }
  }

  const change = async (visit: WebhookVisit): Promise<FastifyReply> => {
    const { request, owned, webhook, cause, at } = visit
    const form = readForm(request)
    try {
      const faulty = faultyIn(form, null)
      if (faulty) return await show(visit, form, faulty)
      await appWebhooks.change(owned.app.clientId, webhook.id, form, cause)
      return leaveTo(visit, at, 'changed')
    } catch (error) {
      const fields = faultyIn(form, error)
      if (!fields) throw error
      return show(visit, form, fields)
    }
  }

  const askDelete = async (visit: WebhookVisit): Promise<FastifyReply> => {
    const { request, reply, session, owned, webhook, at } = visit
    const text = textOf(request)
    const { title, heading, lead, submit, cancel } = text.developer.webhooks.deletion
    return renderer.page(
      request,
      reply,
      'developer-confirm',
      { session, title },
      {
        tabs: await accountTabs(text, 'developer', session, deps),
        action: `${at}/delete`,
        backUrl: at,
        heading: heading(owned.app.name),
        lead: lead(webhook.url),
        submit,
        cancel,
        isDanger: true,
      },
    )
  }

  const remove = async (visit: WebhookVisit): Promise<FastifyReply> => {
    await appWebhooks.remove(visit.owned.app.clientId, visit.webhook.id, visit.cause)
    return leaveTo(visit, visit.base, 'webhook_deleted')
  }

  const newPath = '/developer/apps/:client_id/webhooks/new'
  const backToNew = ({ base }: OwnerVisit) => `${base}/webhooks/new`
  const backTo = (part: string) => (visit: WebhookVisit) => `${visit.at}/${part}`
  scope.get(newPath, asOwner(withRecentSignIn(backToNew, (visit) => show(visit, emptyForm))))
  scope.post(newPath, asOwner(withRecentSignIn(backToNew, create)))
  const asStored = ({ webhook }: WebhookVisit): WebhookForm => ({
    url: webhook.url,
    events: webhook.events && [...webhook.events],
    description: webhook.description,
  })
  const changing = `${webhookPath}/change`
  scope.get(
    changing,
    withWebhook(withRecentSignIn(backTo('change'), (visit) => show(visit, asStored(visit)))),
  )
  scope.post(changing, withWebhook(withRecentSignIn(backTo('change'), change)))
  const deleting = `${webhookPath}/delete`
  scope.get(deleting, withWebhook(withRecentSignIn(backTo('delete'), askDelete)))
  scope.post(deleting, withWebhook(withRecentSignIn(backTo('delete'), remove)))
}
