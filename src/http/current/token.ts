// What lives here: the current interface. A thin front on the services and the only user of the engine.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AuditTrail, Cause } from '../../core/audit/audit.ts'
import type { Usage } from '../../core/audit/usage.ts'
import type { DeviceFlow } from '../../core/authorization/device-flow.ts'
import type { App } from '../../core/clients/app.ts'
import {
  allowedOrigin,
  type ClientCredentials,
  type Clients,
} from '../../core/clients/authenticate.ts'
import { isIdShaped } from '../../core/crypto/identifiers.ts'
import type { Narrowing } from '../../core/grants/approval.ts'
import type { Moves } from '../../core/grants/moves.ts'
import type { Grants, Redeemed } from '../../core/grants/redeem.ts'
import type { GrantStore } from '../../core/grants/store.ts'
import {
  invalidGrant,
  invalidProof,
  OAuthError,
  unauthorizedClient,
} from '../../core/language/errors.ts'
import { deviceCode, tokenExchange } from '../../core/language/grant-types.ts'
import type { Limits } from '../../core/limits/limits.ts'
import type { AccessTokens } from '../../core/tokens/access-tokens.ts'
import type { Dpop, DpopProof } from '../../core/tokens/dpop.ts'
import type { IdTokens } from '../../core/tokens/id-tokens.ts'
import { readClientCredentials } from '../oauth/client-credentials.ts'
import { clientEndpoint } from '../oauth/client-endpoint.ts'
import { type Form, required } from '../oauth/form.ts'
import { countedGrant } from '../oauth/outcome.ts'
import type { IsPublicOrigin } from '../oauth/page-origin.ts'
import { refuseClientFirst } from '../oauth/refuse-unreadable.ts'
import { answerTokens, type TokenAnswer, type TokenOutcome } from '../oauth/token-answer.ts'
import { readProof } from './proof.ts'
import { issuedTokenType, readExchange } from './token-exchange.ts'

export interface CurrentTokenDependencies {
  clients: Clients
  grants: Grants
  grantStore: Pick<GrantStore, 'loadGrant' | 'loadInstall'>
  accessTokens: AccessTokens
  idTokens: Pick<IdTokens, 'issue'>
  moves: Moves
  devices: Pick<DeviceFlow, 'read' | 'refuse' | 'refusalOf'>
  dpop: Dpop
  isPublicOrigin: IsPublicOrigin
  /** Where access tokens are good. */
  audience: string
  limits: Limits
  audit: AuditTrail
  usage: Usage
  outcome: TokenOutcome
}

/** Specification §5.2 B and C; `scope` and `workspace_ids` narrow at every grant. */
type TokenRequest = {
  credentials: ClientCredentials
  asked: Narrowing
} & (
  | { grantType: 'authorization_code'; code: string; redirectUri: string; codeVerifier: string }
  | { grantType: 'refresh_token'; refreshToken: string }
  | { grantType: 'client_credentials'; organizationId: string }
  | { grantType: typeof tokenExchange; subjectToken: string }
  | { grantType: typeof deviceCode; deviceCode: string }
)

const grantFields = (form: Form, audience: string) => {
  const grantType = required(form, 'grant_type')
  switch (grantType) {
    case 'authorization_code':
      return {
        grantType,
        code: required(form, 'code'),
        redirectUri: required(form, 'redirect_uri'),
        codeVerifier: required(form, 'code_verifier'),
      } as const
    case 'refresh_token':
      return { grantType, refreshToken: required(form, 'refresh_token') } as const
    case 'client_credentials':
      return { grantType, organizationId: required(form, 'organization_id') } as const
    case tokenExchange:
      return { grantType, subjectToken: readExchange(form, audience) } as const
    case deviceCode:
      return { grantType, deviceCode: required(form, 'device_code') } as const
    default:
      throw new OAuthError('unsupported_grant_type', 'this grant type is not supported')
  }
}

const readRequest = (
  form: Form,
  authorization: string | undefined,
  audience: string,
): TokenRequest => {
  const fields = grantFields(form, audience)
  return {
    credentials: readClientCredentials(authorization, form),
    asked: { scope: form.get('scope'), workspaceIds: form.get('workspace_ids') },
    // Last: V8 makes an object that begins with a spread the slow way (decision 0042).
    ...fields,
  }
}

const url = '/api/oauth/token'

export const currentToken = (deps: CurrentTokenDependencies) => (scope: FastifyInstance) => {
  const { clients, grants, grantStore, accessTokens } = deps

  /** @throws OAuthError invalid_request for the page of another app */
  const allowCors = (app: App, reply: FastifyReply) => {
    const origin = allowedOrigin(app, reply.request.headers.origin)
    if (origin) reply.header('access-control-allow-origin', origin)
  }

  /** Who asks, and with which key; of the same request, nothing was looked at before but its own words. */
  const authenticate = async (
    loaded: Parameters<Clients['authenticate']>[0],
    request: TokenRequest,
    reply: FastifyReply,
  ): Promise<{ app: App; key: DpopProof | null }> => {
    const app = await clients.authenticate(loaded, request.credentials, 'current')
    allowCors(app, reply) // also that it has to wait
    const address = app.clientType === 'public' ? reply.request.ip : null
    await deps.limits.tokenRequested(app.clientId, address)
    const key = readProof(deps.dpop, reply, url)
    if (key === null && app.dpopBoundAccessTokens) throw invalidProof('proof_missing')
    return { app, key }
  }

  const answerOf = (
    { subject, refreshToken, signIn }: Redeemed,
    key: DpopProof | null,
  ): TokenAnswer => {
    const answer = answerTokens(accessTokens, subject, refreshToken, key?.jkt ?? null)
    if (!signIn) return answer
    return { ...answer, id_token: deps.idTokens.issue(subject, signIn, answer.access_token) }
  }

  const forInstall = async (
    request: TokenRequest & { grantType: 'client_credentials' },
    reply: FastifyReply,
  ): Promise<TokenAnswer> => {
    const { organizationId, credentials } = request
    const known = isIdShaped(organizationId) ? organizationId : ''
    const loaded = await grantStore.loadInstall(credentials.clientId, known)
    const { app, key } = await authenticate(loaded, request, reply)
    if (!loaded) throw invalidGrant('not_installed')
    const subject = grants.forInstall(app, organizationId, loaded.install, request.asked)
    if (key) await key.use()
    return answerTokens(accessTokens, subject, null, key?.jkt ?? null)
  }

  const forUser = async (
    request: TokenRequest & { grantType: 'authorization_code' | 'refresh_token' },
    reply: FastifyReply,
  ): Promise<TokenAnswer> => {
    const isCode = request.grantType === 'authorization_code'
    const presented = isCode
      ? grants.read('code', request.code)
      : grants.read('refresh_token', request.refreshToken)
    const familyId = presented.token?.familyId ?? null
    const loaded = await grantStore.loadGrant(request.credentials.clientId, familyId)
    const { app, key } = await authenticate(loaded, request, reply)
    const proof = isCode
      ? { redirectUri: request.redirectUri, codeVerifier: request.codeVerifier, demanded: true }
      : null
    return answerOf(
      await grants.redeem(app, loaded?.grant ?? null, presented, request.asked, proof, key),
      key,
    )
  }

  const forMoved = async (
    request: TokenRequest & { grantType: typeof tokenExchange },
    reply: FastifyReply,
  ): Promise<TokenAnswer> => {
    const presented = grants.read('refresh_token', request.subjectToken)
    const { clientId } = request.credentials
    const loaded = await deps.moves.load(clientId, presented.token?.familyId ?? null)
    const { app, key } = await authenticate(loaded, request, reply)
    if (!loaded) throw invalidGrant('token_unknown_or_foreign')
    const { ip: address, id: requestId } = reply.request
    const cause: Cause = { actor: { kind: 'client', id: app.clientId }, address, requestId }
    const redeemed = await deps.moves.redeem(app, loaded, presented, request.asked, cause, key)
    const { access_token, ...rest } = answerTokens(
      accessTokens,
      redeemed.subject,
      redeemed.refreshToken,
      key?.jkt ?? null,
    )
    return { access_token, issued_token_type: issuedTokenType, ...rest }
  }

  /** RFC 8628 §3.4: until somebody has answered there is no grant to redeem. */
  const forDevice = async (
    request: TokenRequest & { grantType: typeof deviceCode },
    reply: FastifyReply,
  ): Promise<TokenAnswer> => {
    const familyId = deps.devices.read(request.deviceCode)
    const loaded = await grantStore.loadGrant(request.credentials.clientId, familyId)
    const { app, key } = await authenticate(loaded, request, reply)
    if (!app.deviceFlow) throw unauthorizedClient('device_flow_off')
    if (familyId === null) throw invalidGrant('token_unreadable')
    const grant = loaded?.grant ?? (await deps.devices.refuse(app, familyId))
    const presented = { type: 'code', token: { familyId, generation: 0 } } as const
    try {
      return answerOf(await grants.redeem(app, grant, presented, request.asked, null, key), key)
    } catch (refusal) {
      throw await deps.devices.refusalOf(familyId, refusal)
    }
  }

  const refuseUnread = (fault: unknown, form: Form, reply: FastifyReply) =>
    refuseClientFirst(fault, reply.request.headers.authorization, form, async (credentials) => {
      const loaded = await grantStore.loadGrant(credentials.clientId, null)
      allowCors(await clients.authenticate(loaded, credentials, 'current'), reply)
    })

  const answer = (request: TokenRequest, reply: FastifyReply): Promise<TokenAnswer> => {
    switch (request.grantType) {
      case 'client_credentials':
        return forInstall(request, reply)
      case tokenExchange:
        return forMoved(request, reply)
      case deviceCode:
        return forDevice(request, reply)
      default:
        return forUser(request, reply)
    }
  }

  return clientEndpoint({
    url,
    limits: deps.limits,
    audit: deps.audit,
    isPublicOrigin: deps.isPublicOrigin,
    issues: { interface: 'current', usage: deps.usage, outcome: deps.outcome },
    handle: async (form, { headers }, reply) => {
      reply.header('vary', 'Origin')
      let request: TokenRequest
      try {
        request = readRequest(form, headers.authorization, deps.audience)
      } catch (fault) {
        return refuseUnread(fault, form, reply)
      }
      const tokens = await answer(request, reply)
      const { clientId } = request.credentials
      deps.usage.issued(tokens.organization_id, clientId, countedGrant(form))
      return tokens
    },
  })(scope)
}
