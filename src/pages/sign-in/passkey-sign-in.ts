import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../core/people/session.ts'
import { causeOf } from '../../http/browser/browser.ts'
import { requestingAppCard } from '../rendering/app-card.ts'
import { leave, type Visitor } from '../rendering/forms/blocks-page.ts'
import { field, isOutOfDate, localPath } from '../rendering/forms/sent-values.ts'
import { textOf } from '../rendering/reader-text.ts'
import { requestedIn, type ShowSignIn, signInReasonOf, signInUrl } from './page.ts'
import { createFindPendingRequest, leadsToApp } from './pending-request.ts'
import type { PageServices } from './services.ts'

/** Never return to the page that asks for the passkey: that would be a redirect loop. */
const beyond = (returnTo: string) => (returnTo.startsWith('/account/confirm') ? '/' : returnTo)

/** Sign-in with a passkey, instead of a password or in addition to one before administering. */
export const passkeySignIn = (
  scope: FastifyInstance,
  deps: PageServices,
  showSignIn: ShowSignIn,
) => {
  const { passkeys, administering, browser, renderer, origin } = deps
  if (!passkeys) return
  const findPendingRequest = createFindPendingRequest(deps)

  const showConfirm = async (
    { request, reply }: Visitor,
    session: Session,
    returnTo: string,
    error: string | null = null,
  ) => {
    const found = await findPendingRequest(request, returnTo)
    const present = await passkeys.list(session.user.id)
    const context = {
      ...{ session, title: textOf(request).titles.confirm, withScript: true },
      leadsToApp: leadsToApp(returnTo, found),
      ...(error && { status: 400 }),
    }
    return renderer.page(request, reply, 'confirm', context, {
      app: found && requestingAppCard(found.app, found.pending),
      returnTo,
      hasPasskey: present.length > 0,
      addUrl: `/account/passkeys?${new URLSearchParams({ return_to: returnTo })}`,
      denyAction: found && `/interaction/${found.pending.id}`,
      error,
    })
  }

  /** The session that must use one of its own passkeys; null for a new sign-in. */
  const confirming = (request: FastifyRequest) =>
    field(request, 'confirm') === '' ? Promise.resolve(null) : browser.session(request)

  scope.get('/account/confirm', async (request, reply) => {
    const returnTo = beyond(requestedIn(request, origin).returnTo)
    const session = await browser.session(request)
    if (!session) return reply.redirect(signInUrl(returnTo), 303)
    return administering.mayAdminister(session)
      ? reply.redirect(returnTo, 303)
      : showConfirm({ request, reply }, session, returnTo)
  })

  scope.post('/login/passkey/options', async (request, reply) => {
    const session = await confirming(request)
    const bound = { browser: browser.bind(request, reply), address: request.ip }
    const options = await passkeys.beginSignIn(session, bound)
    return reply.header('cache-control', 'no-store').send(options)
  })

  // Reloads a refused form.
  scope.get('/login/passkey', (request, reply) => {
    const { returnTo, again } = requestedIn(request, origin)
    return reply.redirect(signInUrl(returnTo, again), 303)
  })

  // The same form has just signed the user in, or another tab has.
  const goOnWhenSignedIn = async (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    if (!isOutOfDate(error) || !(await browser.session(request))) throw error
    const returnTo = beyond(localPath(field(request, 'return_to'), origin))
    return leave({ reply }, returnTo)
  }

  scope.post('/login/passkey', { errorHandler: goOnWhenSignedIn }, async (request, reply) => {
    const returnTo = beyond(localPath(field(request, 'return_to'), origin))
    const session = await confirming(request)
    const bound = browser.bound(request)
    const answer = field(request, 'credential')
    const token =
      bound === null
        ? null
        : await passkeys.signIn({ answer, browser: bound, session }, causeOf(request, session))
    if (token === null) {
      const error = textOf(request).signIn.passkeyFailed
      const again = signInReasonOf(field(request, 'again'))
      return session && field(request, 'confirm') !== 'again'
        ? showConfirm({ request, reply }, session, returnTo, error)
        : showSignIn({ request, reply }, { returnTo, again, error, status: 401 })
    }
    await browser.openSession(request, reply, token)
    return leave({ reply }, returnTo)
  })
}
