// What lives here: the legacy interface. A thin front on the services; it knows nothing of the current one.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AuditTrail } from '../../core/audit/audit.ts'
import type { Usage } from '../../core/audit/usage.ts'
import {
  allowedOrigin,
  type ClientCredentials,
  type Clients,
} from '../../core/clients/authenticate.ts'
import type { Grants } from '../../core/grants/redeem.ts'
import type { GrantStore } from '../../core/grants/store.ts'
import { OAuthError } from '../../core/language/errors.ts'
import type { Limits } from '../../core/limits/limits.ts'
import type { AccessTokens } from '../../core/tokens/access-tokens.ts'
import { readClientCredentials } from '../oauth/client-credentials.ts'
import { clientEndpoint } from '../oauth/client-endpoint.ts'
import { type Form, required } from '../oauth/form.ts'
import { refuseClientFirst } from '../oauth/refuse-unreadable.ts'
import { answerTokens, type TokenOutcome } from '../oauth/token-answer.ts'
import { announceEnd, type LegacyEnd } from './deprecation.ts'

export interface LegacyTokenDependencies {
  clients: Clients
  grants: Grants
  grantStore: Pick<GrantStore, 'loadGrant'>
  accessTokens: AccessTokens
  limits: Limits
  audit: AuditTrail
  usage: Usage
  outcome: TokenOutcome
  /** The Host that legacy endpoints answer on; null: every one. */
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

export const legacyToken = (deps: LegacyTokenDependencies) => (scope: FastifyInstance) => {
  const { clients, grants, grantStore, accessTokens } = deps
  announceEnd(scope, deps.legacyEnd)

  const refuseUnread = (fault: unknown, form: Form, authorization: string | undefined) =>
    refuseClientFirst(fault, authorization, form, async (credentials) => {
      const loaded = await grantStore.loadGrant(credentials.clientId, null)
      return clients.authenticate(loaded, credentials, 'legacy')
    })

  const answer = async (
    request: LegacyTokenRequest,
    { ip, headers: { origin } }: FastifyRequest,
  ) => {
    const isCode = request.grantType === 'authorization_code'
    const presented = grants.read(isCode ? 'code' : 'refresh_token', request.token)
    const familyId = presented.token?.familyId ?? null
    const loaded = await grantStore.loadGrant(request.credentials.clientId, familyId)
    const app = await clients.authenticate(loaded, request.credentials, 'legacy')
    allowedOrigin(app, origin) // before the visitor's address is counted
    await deps.limits.tokenRequested(app.clientId, app.clientType === 'public' ? ip : null)
    const proof = isCode
      ? { redirectUri: request.redirectUri, codeVerifier: request.codeVerifier, demanded: false }
      : null
    const asked = { scope: request.scope, workspaceIds: undefined }
    const tokens = await grants.redeem(app, loaded?.grant ?? null, presented, asked, proof, null)
    const { subject, refreshToken } = tokens
    deps.usage.issued(subject.organizationId, app.clientId, request.grantType)
    return answerTokens(accessTokens, subject, refreshToken)
  }

  return clientEndpoint({
    url: '/api/oauth/access_token',
    host: deps.legacyHost,
    limits: deps.limits,
    audit: deps.audit,
    issues: { interface: 'legacy', usage: deps.usage, outcome: deps.outcome },
    handle: async (form, sent) => {
      const { authorization } = sent.headers
      let request: LegacyTokenRequest
      try {
        request = readRequest(form, authorization)
      } catch (fault) {
        return refuseUnread(fault, form, authorization)
      }
      return answer(request, sent)
    },
  })(scope)
}
