import type { FastifyInstance } from 'fastify'
import type { Unsubscription } from '../../core/notifications/mail-choices.ts'
import { causeOf } from '../../http/browser/browser.ts'
import type { Visitor } from '../rendering/forms/blocks-page.ts'
import { queried } from '../rendering/forms/sent-values.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { PageServices } from '../sign-in/services.ts'

const path = '/unsubscribe'

/**
 * The links of `List-Unsubscribe` (RFC 8058). They work without a sign-in, a cookie and an anti-forgery field: the
 * mailbox provider sends the POST. GET changes nothing, because scanners of mails open links.
 */
export const unsubscribe =
  (deps: Pick<PageServices, 'mailChoices' | 'renderer'>) => async (scope: FastifyInstance) => {
    const { mailChoices, renderer } = deps
    // RFC 8058 §3.2: form data of either kind. The token in the URL says everything.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 4096 }, (_, __, done) =>
      done(null, undefined),
    )

    const show = ({ request, reply }: Visitor, about: Unsubscription | null, isDone: boolean) => {
      const { notifications } = textOf(request)
      const words = notifications.unsubscribe
      const own = {
        action: `${path}?token=${encodeURIComponent(queried(request, 'token'))}`,
        labels: (about?.categories ?? []).map((name) => notifications.categories[name].label),
      }
      const state = about === null ? 'invalid' : isDone ? 'done' : 'asking'
      const title = { invalid: words.invalidTitle, done: words.doneTitle, asking: words.title }
      const context = { session: null, title: title[state], ...(about === null && { status: 404 }) }
      return renderer.page(request, reply, 'unsubscribe', context, { ...own, state })
    }

    scope.get(path, (request, reply) =>
      show({ request, reply }, mailChoices.readToken(queried(request, 'token')), false),
    )

    scope.post(path, async (request, reply) => {
      const about = mailChoices.readToken(queried(request, 'token'))
      if (about) await mailChoices.unsubscribe(about, causeOf(request, null))
      return show({ request, reply }, about, true)
    })
  }
