import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cause } from '../../core/audit/audit.ts'
import type { AuthenticatedUser } from '../../core/authorization/places.ts'
import type { Language } from '../../core/language/languages.ts'
import type { Session } from '../../core/people/session.ts'
import type { Sessions } from '../../core/people/sessions.ts'
import { noteWish } from './reader-language.ts'

const shape = /^[A-Za-z0-9_-]{20,200}$/
const year = 365 * 24 * 3600
/** Without a prefix: a sibling domain that plants it changes only the language. */
export const languageCookie = 'latchkey_language'
const digest = (value: string) => createHash('sha256').update(value).digest('base64url')

/**
 * State of the browser that sent a request, from its cookies.
 * @param secure true for https: cookies are Secure and carry the __Host- prefix, so that no sibling domain can plant
 * them
 * @param prefix the path of the issuer; only without one are cookies for the whole host, which __Host- demands
 */
export const createBrowser = (sessions: Sessions, secure: boolean, prefix = '') => {
  const mark = prefix === '' ? '__Host-' : '__Secure-'
  const name = (part: string) => `${secure ? mark : ''}latchkey_${part}`
  const options = { path: prefix || '/', httpOnly: true, sameSite: 'lax', secure } as const
  const cookie = {
    csrf: name('csrf'),
    /** What was just done, for the next page; what was done last; lists as they were left. */
    ...{ done: name('done'), last: name('last'), lists: name('lists') },
    options,
  }

  const read = (request: FastifyRequest, part: string) => {
    const value = request.cookies[name(part)]
    return value !== undefined && shape.test(value) ? value : null
  }

  /** Queried once per request, however many parts of the page need it. */
  const found = new WeakMap<FastifyRequest, Promise<Session | null>>()
  const find = async (request: FastifyRequest) => {
    const token = read(request, 'session')
    const session = token === null ? null : await sessions.find(token)
    if (session) noteWish(request, { user: session.locale })
    return session
  }

  /** The session of the signed-in user, or null. */
  const sessionOf = (request: FastifyRequest): Promise<Session | null> => {
    const known = found.get(request) ?? find(request)
    found.set(request, known)
    return known
  }

  return {
    cookie,
    session: sessionOf,
    /** The token of the session, if the browser sent one. It may be invalid. */
    sessionToken: (request: FastifyRequest) => read(request, 'session'),
    /** Starts a session in the browser. Ends the previous one, planted or not, unless this token continues it. */
    openSession: async (request: FastifyRequest, reply: FastifyReply, token: string) => {
      found.delete(request)
      reply.clearCookie(name('signed_out'), options)
      const before = read(request, 'session')
      if (before !== null && !sessions.continues(before, token)) await sessions.end(before)
      reply.setCookie(name('session'), token, { ...options, maxAge: sessions.lifetime })
    },
    /** Ends the session and records the sign-out until the next sign-in in this browser. */
    closeSession: async (request: FastifyRequest, reply: FastifyReply) => {
      found.delete(request)
      const token = read(request, 'session')
      if (token !== null) await sessions.end(token)
      for (const part of ['session', 'done', 'last', 'lists'])
        reply.clearCookie(name(part), options)
      reply.setCookie(name('signed_out'), randomBytes(18).toString('base64url'), {
        ...options,
        maxAge: year,
      })
    },
    /** Identifies the last sign-out in this browser; null when there was none since the last sign-in. */
    signedOut: async (request: FastifyRequest) => {
      const mark = read(request, 'signed_out')
      if (mark !== null || read(request, 'session') === null) return mark
      // A session that was ended elsewhere counts as a sign-out.
      return (await sessionOf(request)) === null ? 'ended' : null
    },
    /** Ties an anti-forgery field to the session. It is constant when signed out. */
    sessionMark: (request: FastifyRequest) => digest(read(request, 'session') ?? ''),
    /** The digest that binds an authorization request to this browser. Sets the browser cookie when it is missing. */
    bind: (request: FastifyRequest, reply: FastifyReply) => {
      const known = read(request, 'browser')
      if (known !== null) return digest(known)
      const fresh = randomBytes(24).toString('base64url')
      reply.setCookie(name('browser'), fresh, { ...options, maxAge: year })
      return digest(fresh)
    },
    /** Keeps the language that was chosen in this browser. `interaction`: the one in which the choice was made. */
    chooseLanguage: (reply: FastifyReply, language: Language, interaction: string | null) => {
      const value = interaction === null ? language : `${language}.${interaction}`
      reply.setCookie(languageCookie, value, { ...options, maxAge: year })
    },
    /** The same digest as `bind`; null when the browser cookie is missing. */
    bound: (request: FastifyRequest) => {
      const known = read(request, 'browser')
      return known === null ? null : digest(known)
    },
  }
}

export type Browser = ReturnType<typeof createBrowser>

/** The signed-in user in the form that the consent rules need. */
export const signedOf = ({ user, authenticatedAt, methods }: Session): AuthenticatedUser => ({
  userId: user.id,
  credentialsEpoch: user.credentialsEpoch,
  authenticatedAt,
  methods,
})

/** The audited cause of the changes that this request makes. */
export const causeOf = (request: FastifyRequest, session: Session | null): Cause => ({
  actor: session ? { kind: 'user', id: session.user.id } : { kind: 'anonymous', id: null },
  address: request.ip,
  requestId: request.id,
  userAgent: request.headers['user-agent'],
  sessionId: session?.id,
})
