import type { FastifyInstance } from 'fastify'
import { isIdShaped } from '../../core/crypto/identifiers.ts'
import type { ListedSession, Session } from '../../core/people/session.ts'
import type { Sessions } from '../../core/people/sessions.ts'
import { type Browser, causeOf } from '../../http/browser/browser.ts'
import type { Text } from '../../words/text.ts'
import { field, queried } from '../rendering/forms/sent-values.ts'
import { textOf } from '../rendering/reader-text.ts'
import { momentOf, type Renderer } from '../rendering/render.ts'
import type { SessionItem } from '../rendering/view-models/account.ts'
import type { Moment, Notice } from '../rendering/view-models/frame.ts'
import { signInUrl } from '../sign-in/page.ts'
import { type AccountTabsDependencies, accountTabs } from './tabs.ts'

export interface AccountSessionsDependencies extends AccountTabsDependencies {
  sessions: Sessions
  browser: Browser
  renderer: Renderer
  /** Milliseconds since 1970. */
  now(): number
}

const path = '/account/sessions'

const noticesOf = ({ sessions: words }: Text): Record<string, Notice> => ({
  ended: { words: words.ended, tone: 'good' },
  others: { words: words.othersEnded, tone: 'good' },
  gone: { words: words.gone, tone: 'plain' },
})

const noticeOf = (text: Text, done: string): Notice | null => {
  const notices = noticesOf(text)
  return Object.hasOwn(notices, done) ? (notices[done] as Notice) : null
}

const agoWords = ({ sessions: words }: Text, minutes: number) =>
  minutes < 60 ? words.minutesAgo(minutes) : words.hoursAgo(Math.floor(minutes / 60))

/** Relative time, because the time zone of the user is unknown. */
const agoOf = (text: Text, date: Date, now: number): Moment => ({
  ...momentOf(text, date),
  words: agoWords(text, Math.max(0, Math.floor((now - date.getTime()) / 60_000))),
})

const methodsOf = ({ sessions, formats }: Text, { methods }: ListedSession) =>
  sessions.methods(formats.list.allWords(methods.map((one) => sessions.methodNames[one])))

const itemOf = (text: Text, session: ListedSession, own: Session, now: number): SessionItem => ({
  id: session.id,
  isCurrent: session.id === own.id,
  device: text.sessions.device(session.browser, session.system),
  address: session.address,
  methods: methodsOf(text, session),
  since: agoOf(text, session.createdAt, now),
  lastSeen: agoOf(text, session.lastSeenAt, now),
})

/** The page that lists and ends the user's sessions. */
export const accountSessions = (scope: FastifyInstance, deps: AccountSessionsDependencies) => {
  const { sessions, browser, renderer, now } = deps

  scope.get(path, async (request, reply) => {
    const session = await browser.session(request)
    if (!session) return reply.redirect(signInUrl(path), 303)
    const text = textOf(request)
    const listed = await sessions.list(session.user.id)
    const items = listed.map((one) => itemOf(text, one, session, now()))
    return renderer.page(
      request,
      reply,
      'sessions',
      { session, title: text.titles.sessions },
      {
        tabs: await accountTabs(text, 'sessions', session, deps),
        action: path,
        notice: noticeOf(text, queried(request, 'done')),
        sessions: [
          ...items.filter((one) => one.isCurrent),
          ...items.filter((one) => !one.isCurrent),
        ],
      },
    )
  })

  scope.post(path, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const session = await browser.session(request)
    if (!session) return reply.redirect(signInUrl(path), 303)
    const [userId, from] = [session.user.id, causeOf(request, session)]
    const id = field(request, 'session_id')
    switch (field(request, 'decision')) {
      case 'end_others':
        await sessions.endAll(userId, session.id, { ...from, rights: 'self' })
        return reply.redirect(`${path}?done=others`, 303)
      case 'end': {
        const hasEnded = isIdShaped(id) && (await sessions.endOne(userId, id, from))
        return reply.redirect(`${path}?done=${hasEnded ? 'ended' : 'gone'}`, 303)
      }
      default:
        return reply.redirect(path, 303)
    }
  })
}
