import { mailCategories } from '../../core/notifications/mail-rules.ts'
import { doneNotice } from '../rendering/done-notice.ts'
import { fields } from '../rendering/forms/sent-values.ts'
import type { AccountRoutes } from './routes.ts'

const path = '/account/notifications'

/** The page on which users choose their mails. Absent when the server sends none. */
export const accountNotifications = ({ get, post, show, deps }: AccountRoutes) => {
  const { mailChoices, ways } = deps
  if (!ways.mails) return

  get(path, async (visit) => {
    const { request, text, session } = visit
    const words = text.notifications
    const choices = await mailChoices.read(session.user.id)
    return show(visit, 'notifications', 'notifications', {
      title: words.title,
      action: path,
      notice: doneNotice(request, { saved: words.saved }),
      categories: mailCategories.map((name) => ({
        name,
        ...words.categories[name],
        isTicked: choices[name],
      })),
    })
  })

  post(path, async ({ request, reply, session, cause }) => {
    await mailChoices.choose(session.user.id, fields(request, 'categories'), cause)
    return reply.redirect(`${path}?done=saved`, 303)
  })
}
