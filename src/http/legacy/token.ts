// The token endpoint of the legacy interface (specification §5.1): authorization codes and refresh tokens only. It is
// called from servers only, never from pages.
import type { FastifyInstance } from 'fastify'
import type { GrantTypes } from '../../core/grants/grant-types.ts'
import type { AnswerTokenRequest } from '../../core/grants/token-request.ts'
import { OAuthError } from '../../core/language/errors.ts'
import type { AnswerRequest } from '../oauth/either-interface.ts'
import { type Form, required } from '../oauth/form.ts'
import {
  type AnswerGrant,
  type TokenEndpointDependencies,
  tokenEndpoint,
} from '../oauth/token-endpoint.ts'
import { announceEnd, endHeaders, type LegacyEnd } from './deprecation.ts'

export interface LegacyTokenDependencies extends TokenEndpointDependencies {
  answerTokenRequest: AnswerTokenRequest
  grantTypes: Pick<GrantTypes, 'authorizationCode' | 'refreshToken'>
  /** The Host on which legacy endpoints answer; null: every Host. */
  legacyHost: RegExp | null
  legacyEnd: LegacyEnd
}

export const legacyToken = (deps: LegacyTokenDependencies) => {
  const { answerTokenRequest, grantTypes, legacyHost, legacyEnd } = deps

  const readGrant = (form: Form): AnswerGrant => {
    const grantType = required(form, 'grant_type')
    switch (grantType) {
      case 'authorization_code': {
        const code = required(form, 'code')
        const redirectUri = form.get('redirect_uri')
        const check = { redirectUri, codeVerifier: form.get('code_verifier'), demanded: false }
        return (request) => answerTokenRequest(request, grantTypes.authorizationCode(code, check))
      }
      case 'refresh_token': {
        const refreshToken = required(form, 'refresh_token')
        return (request) => answerTokenRequest(request, grantTypes.refreshToken(refreshToken))
      }
      default:
        throw new OAuthError('unsupported_grant_type', 'this grant type is not supported here')
    }
  }

  const endpoint = tokenEndpoint(deps, {
    interface: 'legacy',
    url: '/api/oauth/access_token',
    host: legacyHost,
    readGrant,
    readNarrowing: (form) => ({ scope: form.get('scope'), workspaceIds: undefined }),
    readProof: () => null,
    issuedTokenType: () => null,
  })
  const serve = (scope: FastifyInstance) => {
    announceEnd(scope, legacyEnd)
    return endpoint(scope)
  }
  const answer: AnswerRequest = (request, reply) =>
    endpoint.answer(request, reply.headers(endHeaders(legacyEnd)))
  return Object.assign(serve, { host: legacyHost, answer })
}
