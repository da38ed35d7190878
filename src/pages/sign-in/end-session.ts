import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { auditEvent } from '../../core/audit/audit.ts'
import type { EndSessionRequest, SignOut } from '../../core/authorization/end-session.ts'
import type { Session } from '../../core/people/session.ts'
import { causeOf } from '../../http/browser/browser.ts'
import { endSessionPath, readEndSession } from '../../http/oauth/end-session-fields.ts'
import { readForm, readOnce } from '../../http/oauth/form.ts'
import { queryPairs } from '../../http/oauth/query.ts'
import { cardOf, returnsTo } from '../rendering/app-card.ts'
import type { Visitor } from '../rendering/forms/blocks-page.ts'
import { isOutOfDate } from '../rendering/forms/sent-values.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { PageServices } from './services.ts'

/** Sign-out at the request of an app (OpenID Connect RP-Initiated Logout 1.0). */
export const endSession = (scope: FastifyInstance, deps: PageServices) => {
  const { browser, renderer, audit } = deps

  const leave = (reply: FastifyReply, session: Session | null, returnTo: string | null) => {
    const here = session?.methods.includes('oidc') ? '/signed-out?provider' : '/signed-out'
    return reply.header('cache-control', 'no-store').redirect(returnTo ?? here, 303)
  }

  const signOut = async (
    { request, reply }: Visitor,
    session: Session | null,
    { app, returnTo }: SignOut,
  ) => {
    await browser.closeSession(request, reply)
    if (session) {
      deps.signOutRequested('ended')
      const about = { userId: session.user.id, clientId: app?.clientId ?? null }
      audit.record(auditEvent(causeOf(request, session), 'session.signed_out', about))
    }
    return leave(reply, session, returnTo)
  }

  /** Asks the user to confirm, because anyone can put this address into a link. */
  const ask = (
    { request, reply }: Visitor,
    session: Session,
    requested: EndSessionRequest,
    { app, returnTo }: SignOut,
  ) => {
    deps.signOutRequested('confirming')
    const text = textOf(request)
    const context = { session, title: text.titles.signOut, leadsToApp: returnTo !== null }
    return renderer.page(request, reply, 'end-session', context, {
      // Anyone can write a link that names the app.
      app: app && { ...cardOf(app), isReviewed: false },
      action: `${endSessionPath}/confirm`,
      // The ID token is left out: it proved nothing and must not appear in the page.
      fields: [
        ['client_id', app?.clientId],
        ['post_logout_redirect_uri', requested.postLogoutRedirectUri],
        ['state', requested.state],
      ].filter((pair): pair is [string, string] => pair[1] !== undefined),
      returns: returnTo === null ? null : returnsTo(text, returnTo),
    })
  }

  scope.get(endSessionPath, { exposeHeadRoute: false }, async (request, reply) => {
    const requested = readEndSession(readOnce(queryPairs(request)))
    const found = await deps.endSession.read(requested)
    const session = await browser.session(request)
    if (session === null) {
      deps.signOutRequested('nobody')
      // Without a valid ID token nothing vouches for the return address, and no signed-in user can confirm it.
      return leave(reply, null, found.userId === null ? null : found.returnTo)
    }
    return found.userId === session.user.id
      ? signOut({ request, reply }, session, found)
      : ask({ request, reply }, session, requested, found)
  })

  // Reloads a refused form.
  scope.get(`${endSessionPath}/confirm`, (_request, reply) => reply.redirect(endSessionPath, 303))

  const readConfirmed = (request: FastifyRequest) =>
    deps.endSession.read({ ...readEndSession(readForm(request)), idTokenHint: undefined })

  // A form that was sent twice has signed the user out.
  const goOnWhenSignedOut = async (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    if (!isOutOfDate(error) || (await browser.session(request))) throw error
    return leave(reply, null, (await readConfirmed(request)).returnTo)
  }

  const confirmed = { errorHandler: goOnWhenSignedOut }
  scope.post(`${endSessionPath}/confirm`, confirmed, async (request, reply) => {
    const found = await readConfirmed(request)
    return signOut({ request, reply }, await browser.session(request), found)
  })
}
