// The token endpoint of the current interface.
import type { DeviceGrant } from '../../core/authorization/device-grant.ts'
import type { ClientRequest } from '../../core/clients/authenticate.ts'
import { parseResources } from '../../core/clients/targets.ts'
import type { DelegationGrant } from '../../core/delegation/delegation.ts'
import type { AssertionGrant } from '../../core/grants/assertion-grant.ts'
import type { GrantTypes } from '../../core/grants/grant-types.ts'
import type { InstallCodes } from '../../core/grants/install-codes.ts'
import { isKeySetClient, type KeySetTokens } from '../../core/grants/key-set-token.ts'
import type { AnswerTokenRequest, TokenRequest, Tokens } from '../../core/grants/token-request.ts'
import { OAuthError } from '../../core/language/errors.ts'
import {
  deviceCode,
  installCode,
  jwtBearer,
  tokenExchange,
} from '../../core/language/grant-type-names.ts'
import type { Dpop } from '../../core/tokens/dpop.ts'
import { type Form, required } from '../oauth/form.ts'
import type { IsPublicOrigin } from '../oauth/page-origin.ts'
import { type TokenEndpointDependencies, tokenEndpoint } from '../oauth/token-endpoint.ts'
import { readProof } from './proof.ts'
import { type Exchange, issuedTokenType, readExchange } from './token-exchange.ts'

export interface CurrentTokenDependencies extends TokenEndpointDependencies {
  answerTokenRequest: AnswerTokenRequest
  grantTypes: GrantTypes
  deviceGrant: DeviceGrant
  keySetTokens: KeySetTokens
  assertionGrant: AssertionGrant
  delegationGrant: DelegationGrant
  installCodes: Pick<InstallCodes, 'grant'>
  dpop: Dpop
  isPublicOrigin: IsPublicOrigin
  /** The resource server of the access tokens. */
  audience: string
}

/** Specification §5.2 B and C, as parsed: each field is read once. */
type Fields =
  | {
      grantType: 'authorization_code'
      code: string
      redirectUri: string
      /** Whether it is required depends on the app. */
      codeVerifier: string | undefined
    }
  | { grantType: 'refresh_token'; refreshToken: string }
  | { grantType: 'client_credentials'; isForKeySet: false; organizationId: string }
  /** A key set belongs to an organization. It need not name it. */
  | { grantType: 'client_credentials'; isForKeySet: true; organizationId: string | null }
  | ({ grantType: typeof tokenExchange } & Exchange)
  | { grantType: typeof deviceCode; deviceCode: string }
  | { grantType: typeof installCode; installCode: string }
  | { grantType: typeof jwtBearer; assertion: string; organizationId: string | null }

const readFields = (form: Form, audience: string): Fields => {
  const grantType = required(form, 'grant_type')
  switch (grantType) {
    case 'authorization_code':
      return {
        grantType,
        code: required(form, 'code'),
        redirectUri: required(form, 'redirect_uri'),
        codeVerifier: form.get('code_verifier'),
      }
    case 'refresh_token':
      return { grantType, refreshToken: required(form, 'refresh_token') }
    case 'client_credentials':
      return isKeySetClient(form.get('client_id') ?? '')
        ? { grantType, isForKeySet: true, organizationId: form.get('organization_id') ?? null }
        : { grantType, isForKeySet: false, organizationId: required(form, 'organization_id') }
    case tokenExchange:
      return { grantType, ...readExchange(form, audience) }
    case deviceCode:
      return { grantType, deviceCode: required(form, 'device_code') }
    case installCode:
      return { grantType, installCode: required(form, 'install_code') }
    case jwtBearer:
      return {
        grantType,
        assertion: required(form, 'assertion'),
        organizationId: form.get('organization_id') ?? null,
      }
    default:
      throw new OAuthError('unsupported_grant_type', 'this grant type is not supported')
  }
}

const url = '/api/oauth/token'

export const currentToken = (deps: CurrentTokenDependencies) => {
  const { answerTokenRequest, grantTypes, deviceGrant, assertionGrant, delegationGrant } = deps
  const { keySetTokens, installCodes, dpop, isPublicOrigin, audience } = deps

  const answer = (fields: Fields, request: TokenRequest): Promise<Tokens> => {
    const isForKeySet = fields.grantType === 'client_credentials' && fields.isForKeySet
    if (!isForKeySet && isKeySetClient(request.credentials.clientId))
      return keySetTokens.refuse(request)
    switch (fields.grantType) {
      case 'authorization_code': {
        const { code, redirectUri, codeVerifier } = fields
        const check = { redirectUri, codeVerifier, demanded: true }
        return answerTokenRequest(request, grantTypes.authorizationCode(code, check))
      }
      case 'refresh_token':
        return answerTokenRequest(request, grantTypes.refreshToken(fields.refreshToken))
      case 'client_credentials':
        return fields.isForKeySet
          ? keySetTokens.answer(request, fields.organizationId)
          : answerTokenRequest(request, grantTypes.clientCredentials(fields.organizationId))
      case tokenExchange:
        return fields.subject === 'access_token'
          ? answerTokenRequest(request, delegationGrant(fields.subjectToken))
          : answerTokenRequest(request, grantTypes.legacyExchange(fields.subjectToken))
      case deviceCode:
        return answerTokenRequest(request, deviceGrant(fields.deviceCode))
      case installCode:
        return answerTokenRequest(request, installCodes.grant(fields.installCode))
      case jwtBearer: {
        const { assertion, organizationId } = fields
        return answerTokenRequest(request, assertionGrant(assertion, organizationId))
      }
    }
  }

  /** A malformed request of a key set has a client that is no app. */
  const authenticateClient = (request: ClientRequest) =>
    isKeySetClient(request.credentials.clientId)
      ? keySetTokens.authenticate(request)
      : deps.authenticateClient(request)

  return tokenEndpoint<Fields>(
    { ...deps, authenticateClient },
    {
      interface: 'current',
      url,
      takesResources: true,
      isPublicOrigin,
      readFields: (form) => readFields(form, audience),
      readNarrowing: (form) => ({
        scope: form.get('scope'),
        workspaceIds: form.get('workspace_ids'),
        resources: parseResources(form.resources),
      }),
      readProof: (reply) => readProof(dpop, reply, url),
      answer,
      issuedTokenType: ({ grantType }) => (grantType === tokenExchange ? issuedTokenType : null),
    },
  )
}
