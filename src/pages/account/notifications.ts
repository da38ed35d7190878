import type { FastifyInstance } from 'fastify'
import type { MailChoices } from '../../core/notifications/mail-choices.ts'
import { mailCategories } from '../../core/notifications/mail-rules.ts'
import { type Browser, causeOf } from '../../http/browser/browser.ts'
import { fields, queried } from '../rendering/forms/sent-values.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { Renderer } from '../rendering/render.ts'
import { signInUrl } from '../sign-in/page.ts'
import { type AccountTabsDependencies, accountTabs } from './tabs.ts'

export interface AccountNotificationsDependencies extends AccountTabsDependencies {
  mailChoices: MailChoices
  browser: Browser
  renderer: Renderer
}

const path = '/account/notifications'

/** The page on which users choose their mails. Absent when the server sends none. */
export const accountNotifications = (
  scope: FastifyInstance,
  deps: AccountNotificationsDependencies,
) => {
  const { mailChoices, browser, renderer, ways } = deps
  if (!ways.mails) return

  scope.get(path, async (request, reply) => {
    const session = await browser.session(request)
    if (!session) return reply.redirect(signInUrl(path), 303)
    const text = textOf(request)
    const { notifications } = text
    const choices = await mailChoices.read(session.user.id)
    const isSaved = queried(request, 'done') === 'saved'
    return renderer.page(
      request,
      reply,
      'notifications',
      { session, title: notifications.title },
      {
        tabs: await accountTabs(text, 'notifications', session, deps),
        action: path,
        notice: isSaved ? { words: notifications.saved, tone: 'good' } : null,
        categories: mailCategories.map((name) => ({
          name,
          ...notifications.categories[name],
          isTicked: choices[name],
        })),
      },
    )
  })

  scope.post(path, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const session = await browser.session(request)
    if (!session) return reply.redirect(signInUrl(path), 303)
    const wanted = fields(request, 'categories')
    await mailChoices.choose(session.user.id, wanted, causeOf(request, session))
    return reply.redirect(`${path}?done=saved`, 303)
  })
}
