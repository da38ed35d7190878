import type { FastifyReply, FastifyRequest } from 'fastify'
import { signInDemand } from '../../core/authorization/requests.ts'
import { OAuthError } from '../../core/language/errors.ts'
import type { Session } from '../../core/people/session.ts'
import type { SignInDemand } from '../../core/people/sign-in-demand.ts'
import { contextClass, type Method } from '../../core/people/sign-in-method.ts'
import { requestingAppCard } from '../rendering/app-card.ts'
import type { Visitor } from '../rendering/forms/blocks-page.ts'
import { localPath, queried } from '../rendering/forms/sent-values.ts'
import { textOf } from '../rendering/reader-text.ts'
import { createFindPendingRequest, leadsToApp } from './pending-request.ts'
import type { PageServices } from './services.ts'

/** Characters. */
export const longestEmail = 320

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

export type ShowSignIn = (visitor: Visitor, form: SignInForm) => Promise<FastifyReply>

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

const allMethods: readonly Method[] = ['passkey', 'password', 'oidc']

const among = (methods: readonly Method[]): Record<Method, boolean> => ({
  passkey: methods.includes('passkey'),
  password: methods.includes('password'),
  oidc: methods.includes('oidc'),
})

/**
 * The ways in which a person can show again who they are: those that they have and that are enough by themselves, else those
 * that they have. Without one, all ways are offered.
 */
const waysAgain = async (
  session: Session,
  offered: Record<Method, boolean>,
  isEnough: (method: Method) => boolean,
  { passkeys, ownPassword }: PageServices,
): Promise<Record<Method, boolean>> => {
  const has: Record<Method, boolean> = {
    passkey: offered.passkey && ((await passkeys?.list(session.user.id)) ?? []).length > 0,
    password: offered.password && (await ownPassword.exists(session)),
    oidc: offered.oidc && session.methods.includes('oidc'),
  }
  const own = allMethods.filter((one) => has[one])
  const enough = own.filter(isEnough)
  if (own.length === 0) return offered
  return among(enough.length > 0 ? enough : own)
}

export const createSignInPage = (deps: PageServices): ShowSignIn => {
  const { browser, renderer, ways, administering } = deps
  const findPendingRequest = createFindPendingRequest(deps)

  /** Who must show again that it is them, for us or for an app; null: anyone may sign in. */
  const personAgain = async (
    request: FastifyRequest,
    { again }: SignInForm,
    demand: SignInDemand | null,
  ) => {
    if (again === 'other' || (again === undefined && !demand)) return null
    const session = await browser.session(request)
    const isOther = demand?.expectedUser && demand.expectedUser !== session?.user.id
    return isOther ? null : session
  }

  return async ({ request, reply }, form) => {
    const { returnTo, again } = form
    const found = await findPendingRequest(request, returnTo)
    const demand = found && signInDemand(found.pending)
    const before = await personAgain(request, form, demand)
    const isEnough = (method: Method) =>
      again === 'confirm'
        ? administering.mayAdminister({ ...(before as Session), methods: [method] })
        : !demand?.contextClasses.length || demand.contextClasses.includes(contextClass([method]))
    const text = textOf(request)
    const offered = {
      passkey: ways.passkey && request.hostname !== ways.hostWithoutPasskeys,
      password: ways.password,
      oidc: ways.provider !== null,
    }
    const href = `/login/oidc?${signInQuery(returnTo, again)}`
    const { passkey, password, oidc } = before
      ? await waysAgain(before, offered, isEnough, deps)
      : offered
    const context = {
      session: before,
      title: text.titles.signIn,
      withScript: passkey || password,
      leadsToApp: leadsToApp(returnTo, found),
      ...(form.status && { status: form.status }),
    }
    return renderer.page(request, reply, 'sign-in', context, {
      app: found && requestingAppCard(found.app, found.pending),
      returnTo,
      again: again ?? '',
      email: before?.user.email ?? form.email ?? found?.pending.loginHint ?? '',
      error: form.error ?? null,
      errorField: form.error && form.atField && password ? (before ? 'password' : 'email') : null,
      notice: before ? text.signIn.again : null,
      withPassword: password,
      forgottenUrl: password && ways.passwordByMail ? '/forgot-password' : null,
      withPasskey: passkey,
      provider: oidc ? { label: ways.provider?.label ?? text.signIn.provider, href } : null,
    })
  }
}

/** What a form shows after too many attempts (429). Also sets Retry-After. @throws every other error */
export const tooManyFor = (reply: FastifyReply, error: unknown) => {
  if (!(error instanceof OAuthError) || error.status !== 429) throw error
  const wait = Math.max(1, error.retryAfter ?? 60)
  reply.header('retry-after', String(wait))
  return { error: textOf(reply.request).signIn.tooMany(Math.ceil(wait / 60)), status: 429 }
}
