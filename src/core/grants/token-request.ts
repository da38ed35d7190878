import type { Cause } from '../audit/audit.ts'
import type { App } from '../clients/app.ts'
import { allowedOrigin, type ClientCredentials, type Clients } from '../clients/authenticate.ts'
import type { SignIn } from '../clients/openid.ts'
import { invalidProof } from '../language/errors.ts'
import type { Interface } from '../language/permissions.ts'
import type { Limits } from '../limits/limits.ts'
import type { AccessTokenSubject } from '../tokens/access-token-claims.ts'
import type { AccessTokens } from '../tokens/access-tokens.ts'
import type { DpopProof } from '../tokens/dpop.ts'
import type { IdTokens } from '../tokens/id-tokens.ts'
import type { Narrowing } from './approval.ts'
import type { LoadedClient } from './store.ts'

/** What comes with every token request, whatever its grant type. */
export interface TokenRequest {
  interface: Interface
  credentials: ClientCredentials
  /** `scope` and `workspace_ids` as they were sent; they narrow the access token only. */
  asked: Narrowing
  address: string
  requestId: string
  /** The `Origin` header, of a request that a page has sent. */
  origin: string | undefined
  /** Reads the DPoP proof (RFC 9449 §4.3); null: none was sent. @throws OAuthError invalid_dpop_proof, use_dpop_nonce */
  readProof(): DpopProof | null
  /** Called once the client is authenticated, also when the request is refused later: CORS needs it for errors, too. */
  originAllowed(origin: string): void
}

/** A token request whose client is authenticated and whose proof, if any, is valid. */
export interface ProvenRequest<Loaded> {
  app: App
  loaded: Loaded
  asked: Narrowing
  /** null: the request came without a key. */
  proof: DpopProof | null
  cause: Cause
}

/** What a grant type gives. */
export interface Redemption {
  subject: AccessTokenSubject
  /** null: none is issued. */
  refreshToken: string | null
  /** For the ID token; null: none is asked for, or the app may have none. */
  signIn: SignIn | null
}

/** A grant type adds these two steps to the others, and cannot forget one. */
export interface GrantType<Loaded extends LoadedClient> {
  /** One SQL query: the client, its secrets and what it redeems. @returns null when there is no such client */
  load(clientId: string): Promise<Loaded | null>
  /** Makes every check that can fail, then takes the only step that consumes. */
  redeem(request: ProvenRequest<Loaded>): Promise<Redemption>
}

/** What a token endpoint writes as JSON (RFC 6749 §5.1). */
export interface Tokens extends Redemption {
  accessToken: string
  /** Seconds. */
  expiresIn: number
  /** Thumbprint of the key that the access token is bound to; null: a bearer token. */
  jkt: string | null
  idToken: string | null
}

export interface TokenRequests {
  /** Answers a token request. @throws OAuthError */
  answer<Loaded extends LoadedClient>(
    request: TokenRequest,
    grantType: GrantType<Loaded>,
  ): Promise<Tokens>
  /** Loads and authenticates only, for a request that is refused anyway. @throws OAuthError invalid_client */
  authenticate<Loaded extends LoadedClient>(
    request: Pick<TokenRequest, 'interface' | 'credentials' | 'origin' | 'originAllowed'>,
    load: GrantType<Loaded>['load'],
  ): Promise<App>
}

/** The one way of a token request, for both interfaces and every grant type. */
export const createTokenRequests = (deps: {
  clients: Clients
  limits: Pick<Limits, 'tokenRequested'>
  accessTokens: AccessTokens
  idTokens: Pick<IdTokens, 'issue'>
}): TokenRequests => {
  const { clients, limits, accessTokens, idTokens } = deps

  /** Before anything is said of the token (RFC 6749 §3.2.1). A public app's page must be of a registered origin. */
  const authenticate = async (
    loaded: LoadedClient | null,
    {
      credentials,
      interface: generation,
      origin,
      originAllowed,
    }: Pick<TokenRequest, 'interface' | 'credentials' | 'origin' | 'originAllowed'>,
  ): Promise<App> => {
    const app = await clients.authenticate(loaded, credentials, generation)
    const allowed = allowedOrigin(app, origin)
    if (allowed !== null) originAllowed(allowed)
    return app
  }

  const limit = (app: App, { address }: TokenRequest) =>
    limits.tokenRequested(app.clientId, app.clientType === 'public' ? address : null)

  /** RFC 9449 §5: where a proof was sent, or the operator demands one. */
  const prove = (app: App, request: TokenRequest): DpopProof | null => {
    const proof = request.readProof()
    if (proof === null && app.dpopBoundAccessTokens) throw invalidProof('proof_missing')
    return proof
  }

  const issue = (redemption: Redemption, proof: DpopProof | null): Tokens => {
    const { subject, refreshToken, signIn } = redemption
    const jkt = proof?.jkt ?? null
    const { accessToken, expiresIn } = accessTokens.issue(subject, jkt)
    const idToken =
      signIn && subject.kind === 'user' ? idTokens.issue(subject, signIn, accessToken) : null
    return { subject, refreshToken, signIn, accessToken, expiresIn, jkt, idToken }
  }

  return {
    authenticate: async (request, load) =>
      authenticate(await load(request.credentials.clientId), request),

    answer: async (request, grantType) => {
      const loaded = await grantType.load(request.credentials.clientId)
      const app = await authenticate(loaded, request)
      await limit(app, request)
      const proof = prove(app, request)
      const { asked, address, requestId } = request
      const cause: Cause = { actor: { kind: 'client', id: app.clientId }, address, requestId }
      // An authenticated client was loaded.
      const redemption = await grantType.redeem({ app, loaded: loaded!, asked, proof, cause })
      return issue(redemption, proof)
    },
  }
}
