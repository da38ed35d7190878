import type { FastifyInstance } from 'fastify'
import type { SecurityNotice, SecurityNotices } from '../../core/people/security-notices.ts'
import type { Browser } from '../../http/browser/browser.ts'
import type { Phrase } from '../../words/phrase.ts'
import type { Text } from '../../words/text.ts'
import { field, localPath } from './forms/sent-values.ts'

const path = '/account/notices'

export const noticeWords = (text: Text, notice: SecurityNotice): Phrase => {
  const words = text.notices
  const { client, organization, createdAt, address } = notice
  const actor = notice.isOwn || notice.actor === null ? words.you : notice.actor
  const where = { client: client ?? '', organization: organization ?? '' }
  return words.sentences[notice.type]({ actor, ...where, day: text.day(createdAt), address })
}

export const notices = (
  scope: FastifyInstance,
  {
    securityNotices,
    browser,
    origin,
  }: { securityNotices: SecurityNotices; browser: Browser; origin: string },
) => {
  // Reloads a refused form.
  scope.get(path, (_request, reply) => reply.redirect('/', 303))

  scope.post(path, async (request, reply) => {
    const session = await browser.session(request)
    if (session) await securityNotices.dismiss(session, field(request, 'through'))
    return reply
      .header('cache-control', 'no-store')
      .redirect(localPath(field(request, 'return_to'), origin), 303)
  })
}
