// The legacy interface: a thin front on `core`, without any dependency on the current interface.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AuditTrail } from '../../core/audit/audit.ts'
import type { Usage } from '../../core/audit/usage.ts'
import type { ClientCredentials } from '../../core/clients/authenticate.ts'
import type { GrantTypes } from '../../core/grants/grant-types.ts'
import type { TokenRequest, TokenRequests } from '../../core/grants/token-request.ts'
import { OAuthError } from '../../core/language/errors.ts'
import type { Limits } from '../../core/limits/limits.ts'
import { readClientCredentials } from '../oauth/client-credentials.ts'
import { clientEndpoint } from '../oauth/client-endpoint.ts'
import { type Form, required } from '../oauth/form.ts'
import { refuseUnreadable } from '../oauth/refuse-unreadable.ts'
import { answerTokens, type TokenOutcome } from '../oauth/token-answer.ts'
import { announceEnd, type LegacyEnd } from './deprecation.ts'

export interface LegacyTokenDependencies {
  tokenRequests: TokenRequests
  grantTypes: Pick<GrantTypes, 'loadClient' | 'authorizationCode' | 'refreshToken'>
  limits: Limits
  audit: AuditTrail
  usage: Usage
  outcome: TokenOutcome
  /** The Host on which legacy endpoints answer; null: every Host. */
  legacyHost: RegExp | null
  legacyEnd: LegacyEnd
}

/** Specification §5.1: code and refresh token only; `scope` narrows at every grant. */
type LegacyTokenRequest = { credentials: ClientCredentials; scope: string | undefined } & (
  | {
      grantType: 'authorization_code'
      token: string
      redirectUri: string | undefined
      codeVerifier: string | undefined
    }
  | { grantType: 'refresh_token'; token: string }
)

const readRequest = (form: Form, authorization: string | undefined): LegacyTokenRequest => {
  const grantType = required(form, 'grant_type')
  switch (grantType) {
    case 'authorization_code':
    case 'refresh_token':
      break
    default:
      throw new OAuthError('unsupported_grant_type', 'this grant type is not supported here')
  }
  const credentials = readClientCredentials(authorization, form)
  const scope = form.get('scope')
  return grantType === 'authorization_code'
    ? {
        grantType,
        credentials,
        scope,
        token: required(form, 'code'),
        redirectUri: form.get('redirect_uri'),
        codeVerifier: form.get('code_verifier'),
      }
    : { grantType, credentials, scope, token: required(form, 'refresh_token') }
}

/** The legacy interface has no DPoP. */
const noProof = () => null

/** Only servers call this endpoint: no page may read its answers. */
const noCors = () => undefined

export const legacyToken = (deps: LegacyTokenDependencies) => (scope: FastifyInstance) => {
  const { tokenRequests, grantTypes } = deps
  announceEnd(scope, deps.legacyEnd)

  const requestOf = (
    read: LegacyTokenRequest,
    { ip, id, headers: { origin } }: FastifyRequest,
  ): TokenRequest => ({
    interface: 'legacy',
    credentials: read.credentials,
    asked: { scope: read.scope, workspaceIds: undefined },
    address: ip,
    requestId: id,
    origin,
    readProof: noProof,
    originAllowed: noCors,
  })

  const redeem = (read: LegacyTokenRequest, request: TokenRequest) => {
    if (read.grantType === 'refresh_token')
      return tokenRequests.answer(request, grantTypes.refreshToken(read.token))
    const { token, redirectUri, codeVerifier } = read
    const check = { redirectUri, codeVerifier, demanded: false }
    return tokenRequests.answer(request, grantTypes.authorizationCode(token, check))
  }

  const refuseUnread = (fault: unknown, form: Form, authorization: string | undefined) =>
    refuseUnreadable(fault, authorization, form, (credentials) =>
      tokenRequests.authenticate(
        { interface: 'legacy', credentials, origin: undefined, originAllowed: noCors },
        grantTypes.loadClient,
      ),
    )

  return clientEndpoint({
    url: '/api/oauth/access_token',
    host: deps.legacyHost,
    limits: deps.limits,
    audit: deps.audit,
    issues: { interface: 'legacy', usage: deps.usage, outcome: deps.outcome },
    handle: async (form, request) => {
      const { authorization } = request.headers
      let read: LegacyTokenRequest
      try {
        read = readRequest(form, authorization)
      } catch (fault) {
        return refuseUnread(fault, form, authorization)
      }
      const tokens = await redeem(read, requestOf(read, request))
      const { clientId, organizationId } = tokens.subject
      deps.usage.issued(organizationId, clientId, read.grantType)
      return answerTokens(tokens)
    },
  })(scope)
}
