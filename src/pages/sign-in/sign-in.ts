import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { signInDemand } from '../../core/authorization/requests.ts'
import { normaliseEmail } from '../../core/people/email-address.ts'
import { evaluateSignIn } from '../../core/people/sign-in-demand.ts'
import { causeOf, signedOf } from '../../http/browser/browser.ts'
import { leave, type Visitor } from '../rendering/forms/blocks-page.ts'
import { field, isOutOfDate, localPath } from '../rendering/forms/sent-values.ts'
import { textOf } from '../rendering/reader-text.ts'
import {
  longestEmail,
  requestedIn,
  type ShowSignIn,
  type SignInForm,
  signInReasonOf,
  signInUrl,
  tooManyFor,
} from './page.ts'
import { createFindPendingRequest } from './pending-request.ts'
import type { PageServices } from './services.ts'

export const signIn = (scope: FastifyInstance, deps: PageServices, show: ShowSignIn) => {
  const { passwordSignIn, browser, renderer, ways, origin } = deps

  const showSignedOut = ({ request, reply }: Visitor, providerUrl: string | null = null) => {
    const context = { session: null, title: textOf(request).titles.signedOut }
    const own = { signInUrl: '/login', providerUrl }
    return renderer.page(request, reply, 'signed-out', context, own)
  }

  const findPendingRequest = createFindPendingRequest(deps)

  /** True for a user who is signed in as the next page demands, often in another tab. Without one, the user may change. */
  const isSignedInFor = async (request: FastifyRequest, { returnTo, again }: SignInForm) => {
    const asks = again === undefined && returnTo !== '/'
    const session = asks ? await browser.session(request) : null
    if (!session) return false
    const found = await findPendingRequest(request, returnTo)
    const demand = found && signInDemand(found.pending)
    return !demand || evaluateSignIn(demand, signedOf(session), Date.now()) !== 'sign_in'
  }

  scope.get('/login', async (request, reply) => {
    const form = requestedIn(request, origin)
    return (await isSignedInFor(request, form))
      ? leave({ reply }, form.returnTo)
      : show({ request, reply }, form)
  })

  // Continues when the same user has just signed in in another tab, which makes this form out of date.
  const goOnWhenSignedIn = async (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    const session = isOutOfDate(error) ? await browser.session(request) : null
    const typed = normaliseEmail(field(request, 'email'))
    if (session === null || normaliseEmail(session.user.email) !== typed) throw error
    return leave({ reply }, localPath(field(request, 'return_to'), origin))
  }

  scope.post('/login', { errorHandler: goOnWhenSignedIn }, async (request, reply) => {
    const returnTo = localPath(field(request, 'return_to'), origin)
    const again = signInReasonOf(field(request, 'again'))
    const words = textOf(request).signIn
    if (!ways.password)
      return show({ request, reply }, { returnTo, again, error: words.providerOnly, status: 403 })
    const email = field(request, 'email').trim().slice(0, longestEmail)
    const password = field(request, 'password')
    const form = { returnTo, again, email, atField: true }
    if (email === '' || password === '')
      return show({ request, reply }, { ...form, error: words.incomplete, status: 400 })
    try {
      const token = await passwordSignIn.signIn({ email, password }, causeOf(request, null))
      if (!token) return show({ request, reply }, { ...form, error: words.wrong, status: 401 })
      await browser.openSession(request, reply, token)
      return reply.header('cache-control', 'no-store').redirect(returnTo, 303)
    } catch (error) {
      return show({ request, reply }, { ...form, ...tooManyFor(reply, error) })
    }
  })

  scope.get('/logout', async (request, reply) => {
    const session = await browser.session(request)
    if (!session) return showSignedOut({ request, reply })
    const context = { session, title: textOf(request).titles.signOut }
    const { returnTo } = requestedIn(request, origin)
    return renderer.page(request, reply, 'sign-out', context, { returnTo })
  })

  // A form that was sent twice has signed the user out.
  const goOnWhenSignedOut = async (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    if (!isOutOfDate(error) || (await browser.session(request))) throw error
    const returnTo = localPath(field(request, 'return_to'), origin)
    return reply.redirect(returnTo === '/' ? '/signed-out' : signInUrl(returnTo, 'other'), 303)
  }

  scope.post('/logout', { errorHandler: goOnWhenSignedOut }, async (request, reply) => {
    const session = await browser.session(request)
    await browser.closeSession(request, reply)
    const returnTo = localPath(field(request, 'return_to'), origin)
    // "Not you?" leads back to its page after a new sign-in.
    if (returnTo !== '/') return reply.redirect(signInUrl(returnTo, 'other'), 303)
    const isProviders = session?.methods.includes('oidc')
    return reply.redirect(isProviders ? '/signed-out?provider' : '/signed-out', 303)
  })

  scope.get<{ Querystring: Record<string, unknown> }>('/signed-out', async (request, reply) => {
    if (request.query.provider === undefined) return showSignedOut({ request, reply })
    const url = await deps.providerSignIn?.signOutUrl(() => request.releaseSlot?.())
    return showSignedOut({ request, reply }, url)
  })
}
