import type { FastifyInstance } from 'fastify'
import { vocabulary } from '../../domain/permissions.ts'
import { assertionAlgorithms } from '../../services/clients.ts'
import type { SigningKeys } from '../../services/signing-keys.ts'

const clientAuthentication = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'none',
]

/** Authorization server metadata (RFC 8414): what is there, and nothing that is not. */
const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/api/oauth/token`,
  introspection_endpoint: `${issuer}/api/oauth/introspect`,
  introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  revocation_endpoint: `${issuer}/api/oauth/revoke`,
  revocation_endpoint_auth_methods_supported: clientAuthentication,
  revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
  pushed_authorization_request_endpoint: `${issuer}/api/oauth/par`,
  jwks_uri: `${issuer}/.well-known/jwks.json`,
  response_types_supported: ['code'],
  response_modes_supported: ['query', 'form_post', 'web_message'],
  grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: clientAuthentication,
  token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
  scopes_supported: vocabulary.current,
  authorization_response_iss_parameter_supported: true,
  require_pushed_authorization_requests: false,
  ui_locales_supported: ['en'],
})

export const metadata =
  (deps: { issuer: string; signingKeys: Pick<SigningKeys, 'jwks'> }) =>
  async (scope: FastifyInstance) => {
    const document = metadataOf(deps.issuer)
    scope.get('/.well-known/oauth-authorization-server', async (_request, reply) =>
      reply
        .header('access-control-allow-origin', '*')
        .header('cache-control', 'public, max-age=300')
        .send(document),
    )
    scope.get('/.well-known/jwks.json', async (_request, reply) =>
      reply
        .header('access-control-allow-origin', '*')
        .header('cache-control', 'public, max-age=300')
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(deps.signingKeys.jwks())),
    )
  }
