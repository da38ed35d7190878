import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cause } from '../../core/audit/audit.ts'
import type { Signed } from '../../core/authorization/consent-steps.ts'
import type { Session, Sessions } from '../../core/people/sessions.ts'

/** What we know of the browser that sent a request, from its cookies. */
export interface Browser {
  /** The signed-in person, or null. */
  session(request: FastifyRequest): Promise<Session | null>
  /** Gives the browser a session; the one before, planted or not, ends here, unless it goes on under this token. */
  openSession(request: FastifyRequest, reply: FastifyReply, token: string): Promise<void>
  /** Also remembers that the person has signed out, until somebody signs in here. */
  closeSession(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Which sign-out was the last here; null: there was none since the last sign-in. */
  signedOut(request: FastifyRequest): Promise<string | null>
  /** Ties a session to an anti-forgery field; empty when signed out. */
  sessionMark(request: FastifyRequest): string
  /** The digest that an authorization request is bound to; gives the browser its cookie when it has none. */
  bind(request: FastifyRequest, reply: FastifyReply): string
  /** The same digest; null when the browser has no cookie. */
  bound(request: FastifyRequest): string | null
  cookie: { csrf: string; options: CookieOptions }
}

export interface CookieOptions {
  path: '/'
  httpOnly: true
  sameSite: 'lax'
  secure: boolean
}

const shape = /^[A-Za-z0-9_-]{20,200}$/
const year = 365 * 24 * 3600
const digest = (value: string) => createHash('sha256').update(value).digest('base64url')

/**
 * @param secure https: cookies are Secure and carry the __Host- prefix, so that no neighbour can plant them
 */
export const createBrowser = (sessions: Sessions, secure: boolean): Browser => {
  const name = (part: string) => `${secure ? '__Host-' : ''}latchkey_${part}`
  const options: CookieOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure }
  const cookie = { csrf: name('csrf'), options }

  const read = (request: FastifyRequest, part: string) => {
    const value = request.cookies[name(part)]
    return value !== undefined && shape.test(value) ? value : null
  }

  /** Asked for once in each request, however many parts of the page want to know. */
  const found = new WeakMap<FastifyRequest, Promise<Session | null>>()
  const find = async (request: FastifyRequest) => {
    const token = read(request, 'session')
    return token === null ? null : sessions.find(token)
  }

  const browser: Browser = {
    cookie,
    session: (request) => {
      const known = found.get(request) ?? find(request)
      found.set(request, known)
      return known
    },
    openSession: async (request, reply, token) => {
      found.delete(request)
      reply.clearCookie(name('signed_out'), options)
      const before = read(request, 'session')
      if (before !== null && !sessions.continues(before, token)) await sessions.end(before)
      reply.setCookie(name('session'), token, { ...options, maxAge: sessions.lifetime })
    },
    closeSession: async (request, reply) => {
      found.delete(request)
      const token = read(request, 'session')
      if (token !== null) await sessions.end(token)
      reply.clearCookie(name('session'), options)
      reply.setCookie(name('signed_out'), randomBytes(18).toString('base64url'), {
        ...options,
        maxAge: year,
      })
    },
    signedOut: async (request) => {
      const mark = read(request, 'signed_out')
      if (mark !== null || read(request, 'session') === null) return mark
      // Ended from elsewhere: as good as a sign-out.
      return (await browser.session(request)) === null ? 'ended' : null
    },
    sessionMark: (request) => digest(read(request, 'session') ?? ''),
    bind: (request, reply) => {
      const known = read(request, 'browser')
      if (known !== null) return digest(known)
      const fresh = randomBytes(24).toString('base64url')
      reply.setCookie(name('browser'), fresh, { ...options, maxAge: year })
      return digest(fresh)
    },
    bound: (request) => {
      const known = read(request, 'browser')
      return known === null ? null : digest(known)
    },
  }
  return browser
}

/** The signed-in person, as the rules of consent see them. */
export const signedOf = ({ user, authenticatedAt, methods }: Session): Signed => ({
  userId: user.id,
  credentialsEpoch: user.credentialsEpoch,
  authenticatedAt,
  methods,
})

/** Who causes what this request changes. */
export const causeOf = (request: FastifyRequest, session: Session | null): Cause => ({
  actor: session ? { kind: 'user', id: session.user.id } : { kind: 'anonymous', id: null },
  address: request.ip,
  requestId: request.id,
  userAgent: request.headers['user-agent'],
  sessionId: session?.id,
})
