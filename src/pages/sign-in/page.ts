import type { FastifyReply, FastifyRequest } from 'fastify'
import { OAuthError } from '../../core/language/errors.ts'
import type { OwnPassword } from '../../core/people/own-password.ts'
import type { Passkeys } from '../../core/people/passkeys.ts'
import type { Session } from '../../core/people/session.ts'
import type { Method } from '../../core/people/sign-in-method.ts'
import type { Browser } from '../../http/browser/browser.ts'
import { requestingAppCard } from '../rendering/app-card.ts'
import { localPath, queried } from '../rendering/forms/sent-values.ts'
import {
  createFindPendingRequest,
  leadsToApp,
  type PendingRequestDependencies,
} from '../rendering/pending-request.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { Renderer } from '../rendering/render.ts'

/** Characters. */
export const longestEmail = 320

/** The sign-in methods that this server offers. */
export interface SignInWays {
  password: boolean
  passkey: boolean
  /** The host where passkeys do not work: the host of the legacy endpoints when it differs from the issuer's. */
  hostWithoutPasskeys: string | null
  provider: { label: string | null } | null
  /** Users get mails. */
  mails: boolean
  /** A mail can bring a link to set a password. */
  passwordByMail: boolean
}

export interface SignInPageDependencies extends PendingRequestDependencies {
  browser: Browser
  renderer: Renderer
  ways: SignInWays
  /** null when passkeys cannot work or are switched off. */
  passkeys: Passkeys | null
  ownPassword: Pick<OwnPassword, 'exists'>
  administering: { mayAdminister(session: Session): boolean }
}

/** Reason to sign in again: `confirm` = prove the identity again, `other` = use another account. */
export type SignInReason = 'confirm' | 'other'

export interface SignInForm {
  returnTo: string
  again?: SignInReason | undefined
  email?: string
  error?: string
  /** The error concerns the typed values. */
  atField?: boolean
  status?: number
}

export type ShowSignIn = (
  request: FastifyRequest,
  reply: FastifyReply,
  form: SignInForm,
) => Promise<FastifyReply>

export const signInReasonOf = (value: unknown): SignInReason | undefined =>
  value === 'confirm' || value === 'other' ? value : undefined

/** Where the address of a page asks to return, and why to sign in again. */
export const requestedIn = (request: FastifyRequest, origin: string) => ({
  returnTo: localPath(queried(request, 'return_to'), origin),
  again: signInReasonOf(queried(request, 'again')),
})

/** A link to the sign-in page that returns to a path of this server. */
export const signInUrl = (returnTo: string, again?: SignInReason) =>
  `/login?${signInQuery(returnTo, again)}`

const signInQuery = (returnTo: string, again?: SignInReason) =>
  new URLSearchParams({ return_to: returnTo, ...(again && { again }) })

/**
 * The ways in which a person can show again who they are: those that they have, and that are enough by themselves. Without
 * one, all ways are offered.
 */
const waysAgain = async (
  session: Session,
  offered: Record<Method, boolean>,
  { passkeys, ownPassword, administering }: SignInPageDependencies,
): Promise<Record<Method, boolean>> => {
  const isEnough = (method: Method) =>
    offered[method] && administering.mayAdminister({ ...session, methods: [method] })
  const passkey = isEnough('passkey') && ((await passkeys?.list(session.user.id)) ?? []).length > 0
  const password = isEnough('password') && (await ownPassword.exists(session))
  const oidc = isEnough('oidc') && session.methods.includes('oidc')
  return passkey || password || oidc ? { passkey, password, oidc } : offered
}

export const createSignInPage = (deps: SignInPageDependencies): ShowSignIn => {
  const { browser, renderer, ways } = deps
  const findPendingRequest = createFindPendingRequest(deps)

  return async (request, reply, form) => {
    const { returnTo, again } = form
    const found = await findPendingRequest(request, returnTo)
    const before = again === 'confirm' ? await browser.session(request) : null
    const text = textOf(request)
    const offered = {
      passkey: ways.passkey && request.hostname !== ways.hostWithoutPasskeys,
      password: ways.password,
      oidc: ways.provider !== null,
    }
    const href = `/login/oidc?${signInQuery(returnTo, again)}`
    const { passkey, password, oidc } = before ? await waysAgain(before, offered, deps) : offered
    const context = {
      session: null,
      title: text.titles.signIn,
      withScript: passkey || password,
      leadsToApp: leadsToApp(returnTo, found),
      ...(form.status && { status: form.status }),
    }
    return renderer.page(request, reply, 'sign-in', context, {
      app: found && requestingAppCard(found.app, found.pending),
      returnTo,
      again: again ?? '',
      email: form.email ?? before?.user.email ?? found?.pending.loginHint ?? '',
      error: form.error ?? null,
      errorField: form.error && form.atField && password ? 'email' : null,
      notice: before ? text.signIn.again : null,
      withPassword: password,
      forgottenUrl: password && ways.passwordByMail ? '/forgot-password' : null,
      withPasskey: passkey,
      provider: oidc ? { label: ways.provider?.label ?? text.signIn.provider, href } : null,
    })
  }
}

/** The text for too many sign-in attempts (429). Also sets Retry-After. */
export const tooManyAttempts = (reply: FastifyReply, error: OAuthError) => {
  const wait = Math.max(1, error.retryAfter ?? 60)
  reply.header('retry-after', String(wait))
  return textOf(reply.request).signIn.tooMany(Math.ceil(wait / 60))
}

/** What a form shows after too many attempts. @throws every other error */
export const tooManyFor = (reply: FastifyReply, error: unknown) => {
  if (!(error instanceof OAuthError) || error.status !== 429) throw error
  return { error: tooManyAttempts(reply, error), status: 429 }
}
