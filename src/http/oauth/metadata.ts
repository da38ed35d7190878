import type { FastifyInstance } from 'fastify'
import { proofAlgorithms } from '#verify/rules/dpop-proof'
import { openidScopes } from '../../core/clients/openid.ts'
import { signingAlgorithms } from '../../core/clients/signing-algorithm.ts'
import { idJagProfile } from '../../core/grants/id-jag.ts'
import { endpointPaths, type Place } from '../../core/language/endpoints.ts'
import { languages } from '../../core/language/languages.ts'
import type { PermissionCatalogue } from '../../core/language/permission-catalogue.ts'
import { assertionAlgorithms } from '../../core/outbound/public-keys.ts'
import { contextClasses } from '../../core/people/sign-in-method.ts'
import type { SigningKeys } from '../../core/tokens/signing-keys.ts'
import { grantTypes } from './outcome.ts'

const clientAuthentication = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'none',
]

/** Authorization server metadata (RFC 8414). It lists exactly the supported features. */
const metadataOf = (
  issuer: string,
  base: string,
  permissions: readonly string[],
  readPermission: string | null,
) => ({
  issuer,
  authorization_endpoint: base + endpointPaths.authorize[0],
  token_endpoint: base + endpointPaths.token[0],
  introspection_endpoint: base + endpointPaths.introspect[0],
  introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  revocation_endpoint: base + endpointPaths.revoke[0],
  revocation_endpoint_auth_methods_supported: clientAuthentication,
  revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
  pushed_authorization_request_endpoint: base + endpointPaths.par[0],
  device_authorization_endpoint: base + endpointPaths.device[0],
  jwks_uri: base + endpointPaths.jwks[0],
  response_types_supported: ['code'],
  response_modes_supported: ['query', 'form_post', 'web_message'],
  grant_types_supported: Object.keys(grantTypes),
  // Draft ID-JAG §7.
  authorization_grant_profiles_supported: [idJagProfile],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: clientAuthentication,
  token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
  dpop_signing_alg_values_supported: proofAlgorithms,
  scopes_supported: permissions,
  // Our own member (RFC 8414 §2): absent when reading is free.
  ...(readPermission !== null && { read_permission: readPermission }),
  authorization_response_iss_parameter_supported: true,
  // An unknown document waits for the operator's review; no request registers a client.
  client_id_metadata_document_supported: true,
  refresh_token_expiration_types_supported: ['authorization', 'token_timeout'],
  require_pushed_authorization_requests: false,
  ui_locales_supported: languages,
  service_documentation: `${base}/docs/for-apps`,
})

/** The same for OpenID clients (OpenID Connect Discovery 1.0 §3, RP-Initiated Logout 1.0 §2.1). */
const openidMetadataOf = (document: ReturnType<typeof metadataOf>, base: string) => ({
  ...document,
  userinfo_endpoint: base + endpointPaths.userinfo[0],
  end_session_endpoint: base + endpointPaths.end_session[0],
  scopes_supported: [...openidScopes, ...document.scopes_supported],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [...signingAlgorithms],
  acr_values_supported: contextClasses,
  claim_types_supported: ['normal'],
  claims_supported: [
    'sub',
    'iss',
    'aud',
    'exp',
    'iat',
    'auth_time',
    'nonce',
    'acr',
    'amr',
    'at_hash',
    'organization_id',
    'name',
    'updated_at',
    'email',
    'email_verified',
  ],
  prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
  claims_parameter_supported: false,
  request_parameter_supported: false,
  // Only pushed requests (RFC 9126): the server never fetches a URL of a client.
  request_uri_parameter_supported: false,
})

export const metadata =
  (deps: {
    issuer: string
    place: Pick<Place, 'base'>
    /** Keys of the server that this one replaces, for data APIs that verify its tokens: at aliases only. */
    oldKeys(): Promise<object[]>
    signingKeys: Pick<SigningKeys, 'jwks'>
    catalogue: Pick<PermissionCatalogue, 'names' | 'readPermission'>
    /** Seconds between publishing a key and signing with it. */
    keyAhead: number
    links: { privacy: string | null; terms: string | null }
  }) =>
  async (scope: FastifyInstance) => {
    const { issuer, catalogue, links } = deps
    const { base } = deps.place
    const legal = {
      ...(links.privacy && { op_policy_uri: links.privacy }),
      ...(links.terms && { op_tos_uri: links.terms }),
    }
    const document = () =>
      metadataOf(issuer, base, catalogue.names('current'), catalogue.readPermission())
    const documents = {
      '/.well-known/oauth-authorization-server': document,
      '/.well-known/openid-configuration': () => openidMetadataOf(document(), base),
    }
    for (const [url, documentOf] of Object.entries(documents)) {
      scope.get(url, async (_request, reply) =>
        reply
          .header('access-control-allow-origin', '*')
          .header('cache-control', 'public, max-age=300')
          .send({ ...documentOf(), ...legal }),
      )
    }
    const [jwksPath] = endpointPaths.jwks
    scope.get(jwksPath, async ({ raw: { alias = jwksPath } }, reply) => {
      const { keys } = deps.signingKeys.jwks()
      const all = alias === jwksPath ? keys : [...keys, ...(await deps.oldKeys())]
      return (
        reply
          .header('access-control-allow-origin', '*')
          // Caches must expire before a new key signs (SIGNING_KEY_AHEAD_SECONDS).
          .header('cache-control', `public, max-age=${Math.min(60, Math.floor(deps.keyAhead / 2))}`)
          .type('application/json; charset=utf-8')
          .send(JSON.stringify({ keys: all }))
      )
    })
  }
