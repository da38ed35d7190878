/**
 * oidc-provider validates authorization requests and pushed requests, and does nothing else. Where it deviates from the
 * library's defaults on purpose, and why:
 *
 * - It signs nothing and authenticates no client: both token endpoints, userinfo, discovery and sign-out are our own
 *   (`clientAuthMethods`, `unusedKey`, features that are off).
 * - Its output is not sent. Redirects and errors are noted on the call, and the front writes the answer (`renderError`,
 *   `noteRedirect`, the empty response mode `web_message`).
 * - One client stands for every app while it only validates, because it checks metadata again for each client (`anyClient`).
 * - Apps match their redirect URIs by our rule: it ignores the port of loopback for public clients only
 *   (`redirectUriAllowed`). A request must name its redirect URI, even with a single one registered (RFC 9700 §2.1).
 * - Who is signed in, what is approved and which page is next is our decision, made inside its validation (`decide`).
 *   Its session lasts for the request, and its prompts only ask what we have decided (`policy`).
 * - A grant belongs to one approval and one organization, not to a client and a session (`loadExistingGrant`).
 * - PKCE is demanded of everybody, except of OpenID requests of a confidential client that the operator has exempted
 *   (`pkce.required`, RFC 9700 §2.1.1).
 * - Parameters that it would read by its own rules pass under other names: scope, resource and those of OpenID
 *   (`renamedParameters`). It knows a single scope (`engineScope`).
 * - It never reads from other servers (`fetch`).
 */
import { generateKeyPairSync } from 'node:crypto'
import {
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'
import type { AuthorizationParameters } from '../../../core/authorization/requests.ts'
import type { WebMessageTarget } from '../../../core/authorization/web-message.ts'
import type { App } from '../../../core/clients/app.ts'
import { mayOmitChallenge } from '../../../core/clients/openid.ts'
import { matchRedirectUri } from '../../../core/clients/redirect-uri.ts'
import { demandsPushedRequests, isFapi } from '../../../core/clients/security-profile.ts'
import { randomText } from '../../../core/crypto/random.ts'
import { OAuthError, type OAuthErrorCode } from '../../../core/language/errors.ts'
import type { InteractionError } from '../../../core/people/prompt.ts'
import { type AdapterDependencies, clientMetadata, createAdapter } from './adapter.ts'
import { engineScope, renamedParameters } from './parameters.ts'
import {
  currentProviderCall,
  type Decision,
  type ProviderCall,
  rememberFailure,
} from './request-context.ts'
import { inProviderTerms, readRequest, recipientOf } from './request-rules.ts'

export const pushedRequestPath = '/api/oauth/par'
export const resumeCookie = 'latchkey_engine_resume'

const { Check, Prompt } = interactionPolicy
const undecided = (error: InteractionError) =>
  new Check(error, 'interaction is required from the end-user', error, () => {
    const { decision } = currentProviderCall()
    return decision?.kind === 'interact' && decision.error === error
  })

const policy = () => [
  new Prompt({ name: 'login', requestable: true }, undecided('login_required')),
  new Prompt({ name: 'select_account', requestable: true }),
  new Prompt({ name: 'consent', requestable: true }, undecided('interaction_required')),
]

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
const validated = Object.assign(new errors.CustomOIDCProviderError('validated', ''), {
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

/** Our part of the validation, after all others. A request that needs no page gets its approval here. */
const decide = (deps: AdapterDependencies) => async (ctx: KoaContextWithOIDC) => {
  const call = currentProviderCall()
  const { app } = call
  if (!app || (call.onlyValidates ? anyClient : app.clientId) !== ctx.oidc.client?.clientId)
    throw new errors.InvalidClient('client is invalid')
  // Check first: without a valid recipient not even an error may be posted.
  const webMessage = await rememberFailure(async () => recipientOf(ctx, app, deps.platformOrigins))
  demandProfile(call, app, webMessage)
  call.parameters = readRequest(ctx, app, {
    webMessage,
    readHint: deps.readIdTokenHint,
    isDefaultAudience: deps.targets.isDefault,
  })
  // A pushed request is validated now and decided when it is used.
  if (!call.handler) return demandKnown(deps, call.parameters)
  const { handler, parameters } = call
  call.decision ??= await rememberFailure(() => handler.decide(parameters))
  if (call.decision.kind === 'refused') throw refusals[call.decision.error]()
  if (call.onlyValidates && isSettled(call)) {
    call.dpopJkt = (ctx.oidc.params?.dpop_jkt as string | undefined) ?? null
    noteRedirect(ctx, null)
    throw validated
  }
  if (call.decision.kind === 'approved') {
    ctx.oidc.session?.loginAccount({ accountId: call.decision.approval.userId, transient: true })
  }
}

/** Signs nothing: the provider requires a key, but our services issue every token. */
const unusedKey = () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }
}

const configuration = (deps: AdapterDependencies): Configuration => ({
  adapter: createAdapter(deps),
  clients: [clientMetadata(anyClient)],
  jwks: { keys: [unusedKey()] },
  clientAuthMethods: ['none'],
  clientBasedCORS: () => false,
  fetch: async () => {
    throw new Error('the provider reads nothing of other servers')
  },
  cookies: {
    keys: [],
    names: { resume: resumeCookie },
    short: { signed: false },
    long: { signed: false },
  },
  enableHttpPostMethods: false,
  allowOmittingSingleRegisteredRedirectUri: false,
  responseTypes: ['code'],
  scopes: [engineScope],
  claims: { [engineScope]: ['sub'] },
  pkce: {
    required: (ctx) => {
      const { app } = currentProviderCall()
      const scope = ctx.oidc.params?.[renamedParameters.scope]
      return !app || !mayOmitChallenge(app, typeof scope === 'string' ? scope : undefined)
    },
  },
  extraParams: {
    organization_id: decide(deps),
    workspace_ids: null,
    platform_origin: null,
    dpop_jkt: null,
    ...Object.fromEntries(Object.values(renamedParameters).map((name) => [name, null])),
  },
  enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
  features: {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    dPoP: { enabled: false },
    resourceIndicators: { enabled: false },
    pushedAuthorizationRequests: { enabled: true },
  },
  routes: { authorization: '/authorize', pushed_authorization_request: pushedRequestPath },
  ttl: { AuthorizationCode: 60, Interaction: 3600, Session: 60, Grant: 60 },
  findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  // One grant per approval, bound to its organization. The provider's default is one per client and session.
  loadExistingGrant: async (ctx) => {
    const call = currentProviderCall()
    const { decision } = call
    if (decision?.kind !== 'approved') return undefined
    call.isPosted = ctx.oidc.params?.response_mode === 'web_message'
    const grant = new ctx.oidc.provider.Grant({
      accountId: decision.approval.userId,
      clientId: ctx.oidc.client?.clientId as string,
    })
    grant.jti = decision.approval.grantId
    grant.addOIDCScope(engineScope)
    return grant
  },
  interactions: {
    policy: policy(),
    url: async (_ctx, interaction) => {
      const call = currentProviderCall()
      const { handler, parameters } = call
      if (handler && parameters)
        await rememberFailure(() => handler.begin(parameters, interaction.uid))
      call.interaction = interaction.uid
      return `/interaction/${interaction.uid}`
    },
  },
  renderError: async (ctx, out, error) => {
    ctx.body = ''
    if (error === validated) return
    const call = currentProviderCall()
    // An error about the metadata of a registered client is a fault of the server, not of the request.
    if (out.error === 'invalid_client_metadata') call.failure ??= error
    call.redirect = null
    call.error = { code: out.error as OAuthErrorCode, description: out.error_description ?? '' }
  },
})

const noteRedirect = (ctx: KoaContextWithOIDC, error: OAuthErrorCode | null, description = '') => {
  const call = currentProviderCall()
  const {
    redirect_uri: uri,
    response_mode: mode,
    platform_origin: platform,
    state,
  } = (ctx.oidc.params ?? {}) as Record<string, unknown>
  call.redirect = {
    uri: typeof uri === 'string' ? uri : '',
    mode: typeof mode === 'string' ? mode : undefined,
    platform: typeof platform === 'string' ? platform : undefined,
    state: typeof state === 'string' ? state : undefined,
  }
  if (error) call.error = { code: error, description }
}

/** oidc-provider, configured for the authorization endpoint and pushed requests only. */
export const createProvider = (issuer: string, deps: AdapterDependencies): Provider => {
  const provider = new Provider(issuer, configuration(deps))
  provider.proxy = true // the scheme comes from the header that the engine sets
  // The provider's rule would also ignore the port of confidential clients.
  provider.Client.prototype.redirectUriAllowed = (redirectUri) => {
    const { app } = currentProviderCall()
    return app !== null && matchRedirectUri(app.redirectUris, redirectUri, app.clientType) !== null
  }
  // The provider's output is not sent. The front writes the answer.
  provider.registerResponseMode('web_message', (ctx) => {
    ctx.body = ''
  })
  provider.on('authorization.success', (ctx) => noteRedirect(ctx, null))
  provider.on('authorization.error', (ctx, error) => {
    if (error !== validated)
      noteRedirect(ctx, error.error as OAuthErrorCode, error.error_description)
  })
  provider.on('server_error', (ctx, error) => {
    const call = currentProviderCall()
    call.failure ??= error
    noteRedirect(ctx, 'server_error')
  })
  return provider
}
