// Our part of the validation, which oidc-provider calls last: who is signed in, what is approved, which page is next.
import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import type { AuthorizationParameters } from '../../../core/authorization/requests.ts'
import type { WebMessageTarget } from '../../../core/authorization/web-message.ts'
import type { App } from '../../../core/clients/app.ts'
import { demandsPushedRequests, isFapi } from '../../../core/clients/security-profile.ts'
import { randomText } from '../../../core/crypto/random.ts'
import { OAuthError, type OAuthErrorCode } from '../../../core/language/errors.ts'
import type { AdapterDependencies } from './adapter.ts'
import type { Pairs } from './parameters.ts'
import { plainParameters } from './plain-request.ts'
import {
  currentProviderCall,
  type Decision,
  type ProviderCall,
  rememberFailure,
} from './request-context.ts'
import {
  inProviderTerms,
  readRequest,
  recipientOf,
  redirectIn,
  type SentParameters,
} from './request-rules.ts'

type Refused = (Decision & { kind: 'refused' })['error']

/** `error_description` of a request that the server or the user has refused. */
export const refusalTexts: Record<Refused, string> = {
  invalid_scope:
    'a requested workspace is not available: it is not approved for the client, or the user is not a member; or the requested resources know no permission of the scope',
  access_denied: 'the request was refused',
  invalid_target: 'a requested resource is unknown, or does not serve the organization',
  login_required: 'another user is signed in',
}

const refusals: Record<Refused, () => Error> = {
  invalid_scope: () => new errors.InvalidScope(refusalTexts.invalid_scope, ''),
  access_denied: () => new errors.AccessDenied(refusalTexts.access_denied),
  invalid_target: () => new errors.InvalidTarget(refusalTexts.invalid_target),
  login_required: () => new errors.LoginRequired(refusalTexts.login_required),
}

/**
 * The client that stands for every app while the provider only validates. The provider checks the metadata of a client
 * again if it has not seen it lately, and that takes longer than all the rest. Random, so that no request can name it.
 */
export const anyClient = `any-app-${randomText(16)}`

/**
 * Thrown when the request is valid and nothing is left for the provider to do. One object for all requests: it has no
 * data, and a stack trace takes long.
 */
export const validated = Object.assign(new errors.CustomOIDCProviderError('validated', ''), {
  allow_redirect: false,
})

/** Does the provider have to go on? It refuses a silent request that needs a page, and asks for the requested pages. */
const isSettled = ({ decision, parameters }: ProviderCall) => {
  if (decision?.kind === 'interact') return !parameters?.isSilent
  return decision?.kind === 'approved'
}

/** What a setting of the app demands of its requests: that they are pushed, and that the redirect URI gets the answer. */
const demandProfile = (call: ProviderCall, app: App, webMessage: WebMessageTarget | null) => {
  // A request without a handler is being pushed.
  if (call.handler && !call.isPushed && demandsPushedRequests(app))
    throw new errors.InvalidRequest('requests of this client must be pushed')
  if (isFapi(app) && webMessage)
    throw new errors.InvalidRequest('response_mode is not supported for this client')
}

/** @throws errors of the provider, for a resource that is not known */
const demandKnown = async (
  { targets }: AdapterDependencies,
  { resources = [] }: AuthorizationParameters,
) => {
  try {
    await targets.ofRequest(resources)
  } catch (error) {
    if (error instanceof OAuthError) throw inProviderTerms(error)
    await rememberFailure(() => Promise.reject(error))
  }
}

const sentTo = (ctx: KoaContextWithOIDC) => (ctx.oidc.params ?? {}) as SentParameters

/** Notes on the call where the answer goes, and its error. */
export const noteRedirect = (
  ctx: KoaContextWithOIDC,
  error: OAuthErrorCode | null,
  description = '',
) => {
  const call = currentProviderCall()
  call.redirect = redirectIn(sentTo(ctx))
  if (error) call.error = { code: error, description }
}

/**
 * Our rules for the parameters of a request, in addition to those of oidc-provider.
 * @throws errors of the provider, which it returns to the redirect URI; OAuthError without a valid recipient
 */
const readParameters = async (
  { platformOrigins, readIdTokenHint, targets }: AdapterDependencies,
  call: ProviderCall,
  app: App,
  sent: SentParameters,
) => {
  // Check first: without a valid recipient not even an error may be posted.
  const webMessage = await rememberFailure(async () => recipientOf(sent, app, platformOrigins))
  demandProfile(call, app, webMessage)
  return readRequest(sent, app, {
    webMessage,
    readHint: readIdTokenHint,
    isDefaultAudience: targets.isDefault,
  })
}

const noteSettled = (call: ProviderCall, sent: SentParameters) => {
  call.dpopJkt = (sent.dpop_jkt as string | undefined) ?? null
  call.redirect = redirectIn(sent)
}

/** Our part of the validation, after all others. A request that needs no page gets its approval here. */
export const decide = (deps: AdapterDependencies) => async (ctx: KoaContextWithOIDC) => {
  const call = currentProviderCall()
  const { app, handler } = call
  if (!app || (call.onlyValidates ? anyClient : app.clientId) !== ctx.oidc.client?.clientId)
    throw new errors.InvalidClient('client is invalid')
  const sent = sentTo(ctx)
  const parameters = await readParameters(deps, call, app, sent)
  call.parameters = parameters
  // A pushed request is validated now and decided when it is used.
  if (!handler) return demandKnown(deps, parameters)
  call.decision ??= await rememberFailure(() => handler.decide(parameters))
  if (call.decision.kind === 'refused') throw refusals[call.decision.error]()
  if (call.onlyValidates && isSettled(call)) {
    noteSettled(call, sent)
    throw validated
  }
  if (call.decision.kind === 'approved') {
    ctx.oidc.session?.loginAccount({ accountId: call.decision.approval.userId, transient: true })
  }
}

/**
 * Decides a plain request of this app without oidc-provider, which would have validated it and stopped.
 * @returns false: the provider has to see it, because it is not plain, has a fault, or gets an error
 * @throws StoreUnavailable
 */
export const decidePlain = async (
  deps: AdapterDependencies,
  call: ProviderCall,
  app: App,
  query: Pairs,
): Promise<boolean> => {
  const { handler } = call
  const sent = plainParameters(query, app)
  // The provider finds the fault again, and answers it.
  const parameters = sent && (await readParameters(deps, call, app, sent).catch(() => null))
  if (!handler || !sent || !parameters) return false
  call.parameters = parameters
  call.decision = await handler.decide(parameters)
  if (!isSettled(call)) return false
  noteSettled(call, sent)
  return true
}
