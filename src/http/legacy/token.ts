// The token endpoint of the legacy interface (specification §5.1): authorization codes and refresh tokens only. It is
// called from servers only, never from pages.
import type { FastifyInstance } from 'fastify'
import type { GrantTypes } from '../../core/grants/grant-types.ts'
import type { AnswerTokenRequest, TokenRequest, Tokens } from '../../core/grants/token-request.ts'
import { OAuthError } from '../../core/language/errors.ts'
import { type Form, required } from '../oauth/form.ts'
import { type TokenEndpointDependencies, tokenEndpoint } from '../oauth/token-endpoint.ts'
import { announceEnd, type LegacyEnd } from './deprecation.ts'

export interface LegacyTokenDependencies extends TokenEndpointDependencies {
  answerTokenRequest: AnswerTokenRequest
  grantTypes: Pick<GrantTypes, 'authorizationCode' | 'refreshToken'>
  /** The Host on which legacy endpoints answer; null: every Host. */
  legacyHost: RegExp | null
  legacyEnd: LegacyEnd
}

type Fields =
  | {
      grantType: 'authorization_code'
      code: string
      redirectUri: string | undefined
      codeVerifier: string | undefined
    }
  | { grantType: 'refresh_token'; refreshToken: string }

const readFields = (form: Form): Fields => {
  const grantType = required(form, 'grant_type')
  switch (grantType) {
    case 'authorization_code':
      return {
        grantType,
        code: required(form, 'code'),
        redirectUri: form.get('redirect_uri'),
        codeVerifier: form.get('code_verifier'),
      }
    case 'refresh_token':
      return { grantType, refreshToken: required(form, 'refresh_token') }
    default:
      throw new OAuthError('unsupported_grant_type', 'this grant type is not supported here')
  }
}

export const legacyToken = (deps: LegacyTokenDependencies) => (scope: FastifyInstance) => {
  const { answerTokenRequest, grantTypes, legacyHost, legacyEnd } = deps
  announceEnd(scope, legacyEnd)

  const answer = (fields: Fields, request: TokenRequest): Promise<Tokens> => {
    if (fields.grantType === 'refresh_token')
      return answerTokenRequest(request, grantTypes.refreshToken(fields.refreshToken))
    const { code, redirectUri, codeVerifier } = fields
    const check = { redirectUri, codeVerifier, demanded: false }
    return answerTokenRequest(request, grantTypes.authorizationCode(code, check))
  }

  return tokenEndpoint<Fields>(deps, {
    interface: 'legacy',
    url: '/api/oauth/access_token',
    host: legacyHost,
    readFields,
    readNarrowing: (form) => ({ scope: form.get('scope'), workspaceIds: undefined }),
    readProof: () => null,
    answer,
    issuedTokenType: () => null,
  })(scope)
}
