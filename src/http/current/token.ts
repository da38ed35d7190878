// The token endpoint of the current interface.
import type { FastifyRequest } from 'fastify'
import type { DeviceGrant } from '../../core/authorization/device-grant.ts'
import type { DocumentRequests } from '../../core/client-documents/document-requests.ts'
import type { App } from '../../core/clients/app.ts'
import type { ClientRequest } from '../../core/clients/authenticate.ts'
import { parseResources } from '../../core/clients/targets.ts'
import { isClientUrl } from '../../core/crypto/identifiers.ts'
import type { DelegationGrant } from '../../core/delegation/delegation.ts'
import type { AssertionGrant } from '../../core/grants/assertion-grant.ts'
import type { GrantTypes } from '../../core/grants/grant-types.ts'
import type { InstallCodes } from '../../core/grants/install-codes.ts'
import { isKeySetClient, type KeySetTokens } from '../../core/grants/key-set-token.ts'
import type { LoadedClient } from '../../core/grants/store.ts'
import type { AnswerTokenRequest, GrantType } from '../../core/grants/token-request.ts'
import { OAuthError } from '../../core/language/errors.ts'
import {
  deviceCode,
  installCode,
  jwtBearer,
  tokenExchange,
} from '../../core/language/grant-type-names.ts'
import type { Dpop } from '../../core/tokens/dpop.ts'
import { claimedClientId } from '../oauth/client-credentials.ts'
import { type LegacyEndpoint, legacyAnswerFor } from '../oauth/either-interface.ts'
import { type Form, required } from '../oauth/form.ts'
import type { IsPublicOrigin } from '../oauth/page-origin.ts'
import {
  type AnswerGrant,
  type TokenEndpointDependencies,
  tokenEndpoint,
} from '../oauth/token-endpoint.ts'
import { readProof } from './proof.ts'
import { exchangeOf, issuedTokenType, readExchange } from './token-exchange.ts'

export interface CurrentTokenDependencies extends TokenEndpointDependencies {
  answerTokenRequest: AnswerTokenRequest
  grantTypes: GrantTypes
  deviceGrant: DeviceGrant
  keySetTokens: KeySetTokens
  assertionGrant: AssertionGrant
  delegationGrant: DelegationGrant
  installCodes: Pick<InstallCodes, 'grant'>
  documentRequests: DocumentRequests
  dpop: Dpop
  isPublicOrigin: IsPublicOrigin
  /** Answers apps of the legacy interface at aliases. */
  legacy: LegacyEndpoint
  findApp(clientId: string): Promise<App | null>
  /** The resource server of the access tokens. */
  audience: string
}

const url = '/api/oauth/token'

/** The client id of a request that may be malformed: a repeated one counts as none. */
const namedClientId = ({ headers, body }: FastifyRequest) => {
  const fields = Object.entries((body ?? {}) as Record<string, unknown>)
  const once = fields.filter((field): field is [string, string] => typeof field[1] === 'string')
  return claimedClientId(headers.authorization, new Map(once))
}

export const currentToken = (deps: CurrentTokenDependencies) => {
  const { answerTokenRequest, grantTypes, deviceGrant, assertionGrant, delegationGrant } = deps
  const { keySetTokens, installCodes, documentRequests, dpop, isPublicOrigin, audience } = deps

  /** The client of a key set. One that an import brought may have any id that no app has. */
  const isKeySet = async ({ credentials: { clientId, method } }: ClientRequest) =>
    isKeySetClient(clientId) ||
    (method === 'private_key_jwt' && !isClientUrl(clientId) && !(await deps.findApp(clientId)))

  /** All grant types except one are for apps, and refuse the client of a key set before they read their token. */
  const ofApp =
    <Loaded extends LoadedClient>(grantTypeOf: () => GrantType<Loaded>): AnswerGrant =>
    async (request) =>
      (await isKeySet(request))
        ? keySetTokens.refuse(request)
        : documentRequests.withClient(request.credentials.clientId, request, () =>
            answerTokenRequest(request, grantTypeOf()),
          )

  /** A key set belongs to an organization. It need not name it. */
  const readClientCredentials = (form: Form): AnswerGrant => {
    const named = form.get('organization_id') ?? null
    const demandName = () => required(form, 'organization_id')
    if (!form.has('client_assertion')) demandName()
    return async (request) => {
      if (await isKeySet(request)) return keySetTokens.answer(request, named)
      if (named === null) await deps.authenticateClient(request).then(demandName)
      return ofApp(() => grantTypes.clientCredentials(demandName()))(request)
    }
  }

  /** Specification §5.2 B and C. */
  const readGrant = (form: Form): AnswerGrant => {
    const grantType = required(form, 'grant_type')
    switch (grantType) {
      case 'authorization_code': {
        const code = required(form, 'code')
        const redirectUri = required(form, 'redirect_uri')
        // Whether the verifier is required depends on the app.
        const check = { redirectUri, codeVerifier: form.get('code_verifier'), demanded: true }
        return ofApp(() => grantTypes.authorizationCode(code, check))
      }
      case 'refresh_token': {
        const refreshToken = required(form, 'refresh_token')
        return ofApp(() => grantTypes.refreshToken(refreshToken))
      }
      case 'client_credentials':
        return readClientCredentials(form)
      case tokenExchange: {
        const { subject, subjectToken } = readExchange(form, audience)
        return subject === 'access_token'
          ? ofApp(() => exchangeOf(delegationGrant(subjectToken)))
          : ofApp(() => exchangeOf(grantTypes.legacyExchange(subjectToken)))
      }
      case deviceCode: {
        const code = required(form, 'device_code')
        return ofApp(() => deviceGrant(code))
      }
      case installCode: {
        const code = required(form, 'install_code')
        return ofApp(() => installCodes.grant(code))
      }
      case jwtBearer: {
        const assertion = required(form, 'assertion')
        const organizationId = form.get('organization_id') ?? null
        return ofApp(() => assertionGrant(assertion, organizationId))
      }
      default:
        throw new OAuthError('unsupported_grant_type', 'this grant type is not supported')
    }
  }

  /** A malformed request of a key set has a client that is no app. */
  const authenticateClient = async (request: ClientRequest) =>
    (await isKeySet(request))
      ? keySetTokens.authenticate(request)
      : deps.authenticateClient(request)

  return tokenEndpoint(
    { ...deps, authenticateClient },
    {
      interface: 'current',
      url,
      takesResources: true,
      isPublicOrigin,
      delegate: (request) => legacyAnswerFor(deps, request, () => namedClientId(request)),
      readGrant,
      readNarrowing: (form) => ({
        scope: form.get('scope'),
        workspaceIds: form.get('workspace_ids'),
        resources: parseResources(form.resources),
      }),
      readProof: (reply) => readProof(dpop, reply, url),
      issuedTokenType: (form) =>
        form.get('grant_type') === tokenExchange ? issuedTokenType : null,
    },
  )
}
