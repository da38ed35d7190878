import { isIdShaped } from '../../core/crypto/identifiers.ts'
import type { ListedSession, Session } from '../../core/people/session.ts'
import type { Text } from '../../words/text.ts'
import { doneNotice } from '../rendering/done-notice.ts'
import { field } from '../rendering/forms/sent-values.ts'
import { momentOf } from '../rendering/render.ts'
import type { Moment } from '../rendering/view-models/frame.ts'
import type { AccountRoutes } from './routes.ts'

const path = '/account/sessions'

/** Relative time, because the time zone of the user is unknown. */
const agoOf = (text: Text, date: Date, now: number): Moment => {
  const minutes = Math.max(0, Math.floor((now - date.getTime()) / 60_000))
  const { minutesAgo, hoursAgo } = text.sessions
  const words = minutes < 60 ? minutesAgo(minutes) : hoursAgo(Math.floor(minutes / 60))
  return { ...momentOf(text, date), words, form: 'ago' }
}

const methodsOf = ({ sessions, formats }: Text, { methods }: ListedSession) =>
  sessions.methods(formats.list.allWords(methods.map((one) => sessions.methodNames[one])))

const itemOf = (text: Text, session: ListedSession, own: Session, now: number) => ({
  id: session.id,
  isCurrent: session.id === own.id,
  device: text.sessions.device(session.browser, session.system),
  address: session.address,
  methods: methodsOf(text, session),
  since: agoOf(text, session.createdAt, now),
  lastSeen: agoOf(text, session.lastSeenAt, now),
})

export const accountSessions = ({ get, post, show, deps }: AccountRoutes) => {
  const { sessions, now } = deps
  get(path, async (visit) => {
    const { request, text, session } = visit
    const { ended, othersEnded: others, gone } = text.sessions
    const listed = await sessions.list(session.user.id)
    const items = listed.map((one) => itemOf(text, one, session, now()))
    return show(visit, 'sessions', 'sessions', {
      title: text.titles.sessions,
      action: path,
      notice: doneNotice(request, { ended, others, gone }, ['gone']),
      sessions: [...items.filter((one) => one.isCurrent), ...items.filter((one) => !one.isCurrent)],
    })
  })

  post(path, async ({ request, reply, session, cause }) => {
    const userId = session.user.id
    const id = field(request, 'session_id')
    switch (field(request, 'decision')) {
      case 'end_others':
        await sessions.endAll({ userId, except: session.id }, { ...cause, rights: 'self' })
        return reply.redirect(`${path}?done=others`, 303)
      case 'end': {
        const hasEnded = isIdShaped(id) && (await sessions.endOne({ userId, id }, cause))
        return reply.redirect(`${path}?done=${hasEnded ? 'ended' : 'gone'}`, 303)
      }
      default:
        return reply.redirect(path, 303)
    }
  })
}
