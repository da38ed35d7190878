// A token request, written once for both interfaces and every grant type: read `answer` from top to bottom.
// A check that fails throws an OAuthError. Nothing in this path returns an error for its caller to throw.
import type { Cause } from '../audit/audit.ts'
import type { App } from '../clients/app.ts'
import type { ClientRequest, Clients } from '../clients/authenticate.ts'
import type { SignIn } from '../clients/openid.ts'
import { acceptsAlgorithm, demandsProof } from '../clients/security-profile.ts'
import { invalidProof } from '../language/errors.ts'
import type { Limits } from '../limits/limits.ts'
import type { AccessTokenSubject } from '../tokens/access-token-claims.ts'
import type { AccessTokens } from '../tokens/access-tokens.ts'
import type { DpopProof } from '../tokens/dpop.ts'
import type { IdTokens } from '../tokens/id-tokens.ts'
import type { ActiveKey } from '../tokens/signing-keys.ts'
import type { Narrowing } from './approval.ts'
import type { RefreshToken } from './refresh-token.ts'
import type { LoadedClient } from './store.ts'

/** The part of a token request that all grant types share. */
export interface TokenRequest extends ClientRequest {
  /** `scope` and `workspace_ids` as sent; they narrow only the access token. */
  requested: Narrowing
  requestId: string
  /**
   * Reads the DPoP proof (RFC 9449 §4.3); null: none was sent.
   * @throws OAuthError invalid_dpop_proof, use_dpop_nonce
   */
  readProof(): DpopProof | null
}

/** A token request whose client is authenticated and whose proof, if any, is valid. */
export interface ProvenRequest<Loaded> {
  app: App
  loaded: Loaded
  requested: Narrowing
  /** null: no proof was sent */
  proof: DpopProof | null
  cause: Cause
  /** Called before each wait for another server. */
  onWait(): void
}

/** The result of a grant type. */
export interface Redemption {
  subject: AccessTokenSubject
  /** null: none is issued */
  refreshToken: RefreshToken | null
  /** The sign-in for the ID token; null: none was requested, or the app may have none. */
  signIn: SignIn | null
}

/** A grant type consists of these two steps; the others are the same for all. */
export interface GrantType<Loaded extends LoadedClient> {
  /** One SQL query: the client, its secrets and what it redeems. @returns null when the client does not exist */
  load(clientId: string): Promise<Loaded | null>
  /** Makes every check that can fail, then takes the only step that consumes. @throws OAuthError */
  redeem(request: ProvenRequest<Loaded>): Promise<Redemption>
}

/** The content of a token response (RFC 6749 §5.1). */
export interface Tokens extends Omit<Redemption, 'subject'> {
  subject: Pick<
    AccessTokenSubject,
    'clientId' | 'organizationId' | 'permissions' | 'openidScopes' | 'workspaceIds' | 'delegated'
  >
  accessToken: string
  /** Seconds. */
  expiresIn: number
  /** Thumbprint of the key that the access token is bound to; null: a bearer token. */
  jkt: string | null
  idToken: string | null
}

/** Answers a token request. @throws OAuthError */
export type AnswerTokenRequest = <Loaded extends LoadedClient>(
  request: TokenRequest,
  grantType: GrantType<Loaded>,
) => Promise<Tokens>

export const createAnswerTokenRequest = (deps: {
  clients: Clients
  limits: Pick<Limits, 'tokenRequested'>
  accessTokens: AccessTokens
  idTokens: Pick<IdTokens, 'issue' | 'keyFor'>
}): AnswerTokenRequest => {
  const { clients, limits, accessTokens, idTokens } = deps

  const limit = ({ clientId, clientType }: App, address: string) =>
    limits.tokenRequested(clientId, clientType === 'public' ? address : null)

  /** Required when a proof was sent or the operator demands one (RFC 9449 §5). */
  const prove = (app: App, request: TokenRequest): DpopProof | null => {
    const proof = request.readProof()
    if (proof === null && demandsProof(app)) throw invalidProof('proof_missing')
    if (proof && !acceptsAlgorithm(app, proof.algorithm)) throw invalidProof('proof_algorithm')
    return proof
  }

  const issue = (
    redemption: Redemption,
    proof: DpopProof | null,
    key: ActiveKey | undefined,
  ): Tokens => {
    const { subject, refreshToken, signIn } = redemption
    const jkt = proof?.jkt ?? null
    const { accessToken, expiresIn } = accessTokens.issue(subject, jkt)
    const idToken =
      signIn && subject.kind === 'user' ? idTokens.issue(subject, signIn, accessToken, key) : null
    return { subject, refreshToken, signIn, accessToken, expiresIn, jkt, idToken }
  }

  return async (request, grantType) => {
    const { credentials, requested, address, requestId, onWait } = request
    const stored = await grantType.load(credentials.clientId)
    // The client is authenticated before anything is revealed about the token (RFC 6749 §3.2.1).
    const loaded = await clients.authenticate(stored, request)
    const { app } = loaded
    await limit(app, address)
    const proof = prove(app, request)
    const cause: Cause = { actor: { kind: 'client', id: app.clientId }, address, requestId }
    // Before anything is consumed: the first use of an algorithm makes its key, which may fail.
    const key = app.openid ? await idTokens.keyFor(app.idTokenSignedResponseAlg) : undefined
    const redemption = await grantType.redeem({ app, loaded, requested, proof, cause, onWait })
    return issue(redemption, proof, key)
  }
}
