// The current interface: a thin front on `core`, and the only user of the engine.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AuditTrail } from '../../core/audit/audit.ts'
import type { Usage } from '../../core/audit/usage.ts'
import type { DeviceGrant } from '../../core/authorization/device-grant.ts'
import type { ClientCredentials } from '../../core/clients/authenticate.ts'
import type { Narrowing } from '../../core/grants/approval.ts'
import type { GrantTypes } from '../../core/grants/grant-types.ts'
import type { TokenRequest, TokenRequests, Tokens } from '../../core/grants/token-request.ts'
import { OAuthError } from '../../core/language/errors.ts'
import { deviceCode, tokenExchange } from '../../core/language/grant-types.ts'
import type { Limits } from '../../core/limits/limits.ts'
import type { Dpop } from '../../core/tokens/dpop.ts'
import { readClientCredentials } from '../oauth/client-credentials.ts'
import { clientEndpoint } from '../oauth/client-endpoint.ts'
import { type Form, required } from '../oauth/form.ts'
import { countedGrant } from '../oauth/outcome.ts'
import type { IsPublicOrigin } from '../oauth/page-origin.ts'
import { refuseUnreadable } from '../oauth/refuse-unreadable.ts'
import { answerTokens, type TokenOutcome } from '../oauth/token-answer.ts'
import { readProof } from './proof.ts'
import { issuedTokenType, readExchange } from './token-exchange.ts'

export interface CurrentTokenDependencies {
  tokenRequests: TokenRequests
  grantTypes: GrantTypes
  deviceGrant: DeviceGrant
  dpop: Dpop
  isPublicOrigin: IsPublicOrigin
  /** The audience of access tokens. */
  audience: string
  limits: Limits
  audit: AuditTrail
  usage: Usage
  outcome: TokenOutcome
}

/** Specification §5.2 B and C, as parsed: each field is read once. */
type Fields =
  | { grantType: 'authorization_code'; code: string; redirectUri: string; codeVerifier: string }
  | { grantType: 'refresh_token'; refreshToken: string }
  | { grantType: 'client_credentials'; organizationId: string }
  | { grantType: typeof tokenExchange; subjectToken: string }
  | { grantType: typeof deviceCode; deviceCode: string }

interface ReadRequest {
  fields: Fields
  credentials: ClientCredentials
  /** `scope` and `workspace_ids` narrow at every grant. */
  asked: Narrowing
}

const readFields = (form: Form, audience: string): Fields => {
  const grantType = required(form, 'grant_type')
  switch (grantType) {
    case 'authorization_code':
      return {
        grantType,
        code: required(form, 'code'),
        redirectUri: required(form, 'redirect_uri'),
        codeVerifier: required(form, 'code_verifier'),
      }
    case 'refresh_token':
      return { grantType, refreshToken: required(form, 'refresh_token') }
    case 'client_credentials':
      return { grantType, organizationId: required(form, 'organization_id') }
    case tokenExchange:
      return { grantType, subjectToken: readExchange(form, audience) }
    case deviceCode:
      return { grantType, deviceCode: required(form, 'device_code') }
    default:
      throw new OAuthError('unsupported_grant_type', 'this grant type is not supported')
  }
}

const readRequest = (
  form: Form,
  authorization: string | undefined,
  audience: string,
): ReadRequest => ({
  fields: readFields(form, audience),
  credentials: readClientCredentials(authorization, form),
  asked: { scope: form.get('scope'), workspaceIds: form.get('workspace_ids') },
})

const url = '/api/oauth/token'

export const currentToken = (deps: CurrentTokenDependencies) => (scope: FastifyInstance) => {
  const { tokenRequests, grantTypes } = deps

  /** Allows the registered page of a public app to read the answer, errors included. */
  const corsFor = (reply: FastifyReply) => (origin: string) => {
    reply.header('access-control-allow-origin', origin)
  }

  const requestOf = (
    { credentials, asked }: ReadRequest,
    { ip, id, headers: { origin } }: FastifyRequest,
    reply: FastifyReply,
  ): TokenRequest => ({
    interface: 'current',
    credentials,
    asked,
    address: ip,
    requestId: id,
    origin,
    readProof: () => readProof(deps.dpop, reply, url),
    originAllowed: corsFor(reply),
  })

  const redeem = (fields: Fields, request: TokenRequest): Promise<Tokens> => {
    const { answer } = tokenRequests
    switch (fields.grantType) {
      case 'authorization_code': {
        const { code, redirectUri, codeVerifier } = fields
        const check = { redirectUri, codeVerifier, demanded: true }
        return answer(request, grantTypes.authorizationCode(code, check))
      }
      case 'refresh_token':
        return answer(request, grantTypes.refreshToken(fields.refreshToken))
      case 'client_credentials':
        return answer(request, grantTypes.clientCredentials(fields.organizationId))
      case tokenExchange:
        return answer(request, grantTypes.legacyExchange(fields.subjectToken))
      case deviceCode:
        return answer(request, deps.deviceGrant(fields.deviceCode))
    }
  }

  const refuseUnread = (
    fault: unknown,
    form: Form,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const { authorization, origin } = request.headers
    return refuseUnreadable(fault, authorization, form, (credentials) =>
      tokenRequests.authenticate(
        { interface: 'current', credentials, origin, originAllowed: corsFor(reply) },
        grantTypes.loadClient,
      ),
    )
  }

  return clientEndpoint({
    url,
    limits: deps.limits,
    audit: deps.audit,
    isPublicOrigin: deps.isPublicOrigin,
    issues: { interface: 'current', usage: deps.usage, outcome: deps.outcome },
    handle: async (form, request, reply) => {
      reply.header('vary', 'Origin')
      let read: ReadRequest
      try {
        read = readRequest(form, request.headers.authorization, deps.audience)
      } catch (fault) {
        return refuseUnread(fault, form, request, reply)
      }
      const { fields } = read
      const tokens = await redeem(fields, requestOf(read, request, reply))
      const { clientId, organizationId } = tokens.subject
      deps.usage.issued(organizationId, clientId, countedGrant(form))
      return answerTokens(tokens, fields.grantType === tokenExchange ? issuedTokenType : null)
    },
  })(scope)
}
