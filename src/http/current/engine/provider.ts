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
import { type Configuration, interactionPolicy, Provider } from 'oidc-provider'
import { mayOmitChallenge } from '../../../core/clients/openid.ts'
import { matchRedirectUri } from '../../../core/clients/redirect-uri.ts'
import type { OAuthErrorCode } from '../../../core/language/errors.ts'
import type { InteractionError } from '../../../core/people/prompt.ts'
import { type AdapterDependencies, clientMetadata, createAdapter } from './adapter.ts'
import { anyClient, decide, noteRedirect, validated } from './decide.ts'
import { engineScope, renamedParameters } from './parameters.ts'
import { currentProviderCall, rememberFailure } from './request-context.ts'

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
