import type { FastifyInstance } from 'fastify'
import { signInDemand } from '../../core/authorization/requests.ts'
import type { Refusal } from '../../core/people/identities.ts'
import { ProviderError, type ProviderFault } from '../../core/people/provider-error.ts'
import { demandsFreshSignIn } from '../../core/people/sign-in-demand.ts'
import { causeOf } from '../../http/browser/browser.ts'
import { demandTopLevel } from '../../http/browser/top-level.ts'
import type { Text } from '../../words/text.ts'
import type { Visitor } from '../rendering/forms/blocks-page.ts'
import { textOf } from '../rendering/reader-text.ts'
import { requestedIn, type ShowSignIn, type SignInForm, signInUrl, tooManyFor } from './page.ts'
import { createFindPendingRequest } from './pending-request.ts'
import type { PageServices } from './services.ts'

const answers = {
  unreachable: { error: 'providerAway', status: 503 },
  denied: { error: 'providerDenied', status: 403 },
  not_fresh: { error: 'providerNotFresh', status: 403 },
  refused: { error: 'providerRefused', status: 400 },
} as const satisfies Record<ProviderFault, { error: keyof Text['signIn']; status: number }>

/** Sign-in through the platform's OpenID provider: the redirect to it and the callback. */
export const providerSignIn = (scope: FastifyInstance, deps: PageServices, show: ShowSignIn) => {
  const { browser, renderer, origin } = deps
  if (!deps.providerSignIn) return
  const { begin, finish } = deps.providerSignIn
  const findPendingRequest = createFindPendingRequest(deps)

  const fail = (
    { request, reply }: Visitor,
    form: Pick<SignInForm, 'returnTo' | 'again'>,
    { fault, code }: { fault: ProviderFault; code: string },
  ) => {
    const line = { reason: `oidc_${fault}`, code }
    request.log[fault === 'unreachable' ? 'warn' : 'info'](line, 'refused')
    if (fault === 'unreachable') reply.header('retry-after', '10')
    const { error, status } = answers[fault]
    return show({ request, reply }, { ...form, error: textOf(request).signIn[error], status })
  }

  const refuse = ({ request, reply }: Visitor, refusal: Refusal, returnTo: string) => {
    const text = textOf(request)
    request.log.info({ reason: `oidc_${refusal}` }, 'refused')
    const refused = { page: refusal, reason: `oidc_${refusal}`, error: null }
    const context = { session: null, title: text.titles.refused, status: 403, refused }
    return renderer.page(request, reply, 'error', context, {
      ...text.refusals[refusal],
      details: null,
      actions: [{ label: text.error.tryAgain, href: signInUrl(returnTo, 'other') }],
    })
  }

  // A link, not a form: form-action also restricts the redirects after a form, and the hosts in the provider's redirect
  // chain are unknown. An attacker who makes another browser start here gains nothing, because the answer is bound to
  // that browser.
  scope.get('/login/oidc', { exposeHeadRoute: false }, async (request, reply) => {
    demandTopLevel(request)
    const { returnTo, again } = requestedIn(request, origin)
    const signedOut = await browser.signedOut(request)
    const site = request.headers['sec-fetch-site']
    // After a sign-out, only a click on our own page may start a sign-in. The provider's session is still alive, so it
    // would answer a link of another site without asking the user.
    if (signedOut !== null && site !== undefined && site !== 'same-origin')
      return show({ request, reply }, { returnTo, again })
    const found = await findPendingRequest(request, returnTo)
    const before = again === 'confirm' ? await browser.session(request) : null
    try {
      const demandsProof = found !== null && demandsFreshSignIn(signInDemand(found.pending))
      const wish = {
        returnTo,
        again: again ?? null,
        loginHint: before?.user.email ?? found?.pending.loginHint ?? null,
        // When the browser does not report the origin of the click, the provider must ask.
        prompt: again === 'other' || (signedOut !== null && site === undefined),
        browser: browser.bind(request, reply),
        signedOut,
        proof: again === 'confirm' || demandsProof,
      }
      const url = await begin(wish, causeOf(request, null), () => request.releaseSlot?.())
      return reply.header('cache-control', 'no-store').redirect(url, 303)
    } catch (error) {
      if (error instanceof ProviderError)
        return fail({ request, reply }, { returnTo, again }, error)
      return show({ request, reply }, { returnTo, again, ...tooManyFor(reply, error) })
    }
  })

  scope.get('/login/callback', { exposeHeadRoute: false }, async (request, reply) => {
    const sent = {
      answer: new URL(request.raw.url ?? '', origin).searchParams,
      browser: browser.bound(request),
      signedOut: await browser.signedOut(request),
    }
    const release = () => request.releaseSlot?.()
    const outcome = await finish(sent, causeOf(request, null), release)
    switch (outcome.kind) {
      case 'signed_in':
        await browser.openSession(request, reply, outcome.token)
        return reply.header('cache-control', 'no-store').redirect(outcome.returnTo, 303)
      case 'refused':
        return refuse({ request, reply }, outcome.refusal, outcome.returnTo)
      case 'failed': {
        const { returnTo, again } = outcome
        return fail({ request, reply }, { returnTo, again: again ?? undefined }, outcome)
      }
      case 'unknown': {
        request.log.info({ reason: 'oidc_state_unknown' }, 'refused')
        const error = textOf(request).signIn.providerUnknown
        return show({ request, reply }, { returnTo: '/', error, status: 400 })
      }
    }
  })
}
