import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { OAuthError } from '../../domain/errors.ts'
import type { AuthorizationRequests } from '../../services/authorization-requests.ts'
import type { Consents } from '../../services/consents.ts'
import type { Sessions } from '../../services/sessions.ts'
import type { Browser } from '../browser.ts'
import { field, isOutOfDate, localPath } from './forms.ts'
import { cardOf, type Renderer } from './render.ts'
import { text } from './text.ts'

export interface SignInDependencies {
  sessions: Sessions
  requests: Pick<AuthorizationRequests, 'find'>
  consents: Pick<Consents, 'findApp'>
  browser: Browser
  renderer: Renderer
  origin: string
}

const longestEmail = 320

export const signIn = (scope: FastifyInstance, deps: SignInDependencies) => {
  const { sessions, requests, consents, browser, renderer, origin } = deps

  /** The app that waits behind the sign-in, when there is one. */
  const waiting = async (request: FastifyRequest, returnTo: string) => {
    const id = /^\/interaction\/([A-Za-z0-9_-]+)/.exec(returnTo)?.[1]
    const bound = browser.bound(request)
    const pending = id && bound !== null ? await requests.find(id, bound) : null
    const app = pending && (await consents.findApp(pending.clientId))
    return pending && app ? { pending, app } : null
  }

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    form: { returnTo: string; email?: string; error?: string; status?: number },
  ) => {
    const found = await waiting(request, form.returnTo)
    return renderer.page(
      request,
      reply,
      'sign-in',
      {
        session: null,
        title: text.titles.signIn,
        ...(found && { redirectUri: found.pending.redirectUri }),
        ...(form.status && { status: form.status }),
      },
      {
        app: found && cardOf(found.app, found.pending.redirectUri),
        returnTo: form.returnTo,
        email: form.email ?? found?.pending.loginHint ?? '',
        error: form.error ?? null,
      },
    )
  }

  const showSignedOut = (request: FastifyRequest, reply: FastifyReply) =>
    renderer.page(
      request,
      reply,
      'signed-out',
      { session: null, title: text.titles.signedOut },
      { signInUrl: '/login' },
    )

  scope.get<{ Querystring: Record<string, unknown> }>('/login', (request, reply) => {
    const asked = request.query.return_to
    return show(request, reply, {
      returnTo: localPath(typeof asked === 'string' ? asked : '/', origin),
    })
  })

  // Somebody who has just signed in from another tab goes on, although this form is out of date by that.
  const goOnWhenSignedIn = async (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    const session = isOutOfDate(error) ? await browser.session(request) : null
    const typed = field(request, 'email').trim().toLowerCase()
    if (session?.user.email.toLowerCase() !== typed) throw error
    return reply
      .header('cache-control', 'no-store')
      .redirect(localPath(field(request, 'return_to'), origin), 303)
  }

  scope.post('/login', { errorHandler: goOnWhenSignedIn }, async (request, reply) => {
    const returnTo = localPath(field(request, 'return_to'), origin)
    const email = field(request, 'email').trim().slice(0, longestEmail)
    const password = field(request, 'password')
    if (email === '' || password === '') {
      return show(request, reply, { returnTo, email, error: text.signIn.incomplete, status: 400 })
    }
    const actor = { kind: 'anonymous', id: null } as const
    const from = { actor, address: request.ip, requestId: request.id }
    try {
      const token = await sessions.signIn(email, password, from)
      if (!token) {
        return show(request, reply, { returnTo, email, error: text.signIn.wrong, status: 401 })
      }
      await browser.closeSession(request, reply) // a planted session id dies here
      browser.openSession(reply, token)
      return reply.header('cache-control', 'no-store').redirect(returnTo, 303)
    } catch (error) {
      if (!(error instanceof OAuthError) || error.status !== 429) throw error
      const wait = Math.max(1, error.retryAfter ?? 60)
      reply.header('retry-after', String(wait))
      const words = text.signIn.tooMany(Math.ceil(wait / 60))
      return show(request, reply, { returnTo, email, error: words, status: 429 })
    }
  })

  scope.get<{ Querystring: Record<string, unknown> }>('/logout', async (request, reply) => {
    const session = await browser.session(request)
    const asked = request.query.return_to
    const returnTo = localPath(typeof asked === 'string' ? asked : '/', origin)
    if (!session) return showSignedOut(request, reply)
    return renderer.page(
      request,
      reply,
      'sign-out',
      { session, title: text.titles.signOut },
      { returnTo },
    )
  })

  scope.post('/logout', async (request, reply) => {
    await browser.closeSession(request, reply)
    const returnTo = localPath(field(request, 'return_to'), origin)
    // "Not you?" on a page of an app leads back to that page, past a fresh sign-in.
    if (returnTo.startsWith('/interaction/')) {
      return reply.redirect(`/login?return_to=${encodeURIComponent(returnTo)}`, 303)
    }
    return reply.redirect('/signed-out', 303)
  })

  scope.get('/signed-out', showSignedOut)
}
