import type { ClientType } from '../clients/app.ts'
import type { OpenidScope, SignIn } from '../clients/openid.ts'
import { invalidGrant, invalidProof } from '../language/errors.ts'
import type { WorkspaceLimit } from '../language/scope.ts'
import type { GrantReason } from '../language/sub-reasons.ts'
import { verifierMatches } from './pkce.ts'

/** One user's authorization of one app in one organization; it lives on as a refresh family. */
export interface Grant {
  /** The family's id (UUID). */
  id: string
  userId: string
  clientId: string
  organizationId: string
  installId: string
  appEpoch: number
  userEpoch: number
  /**
   * How often the person had ended what the app may do there when the grant was made; absent: never. The store sets
   * it.
   */
  connectionEpoch?: number
  permissions: string[]
  workspaceIds: WorkspaceLimit
  /** What the person agreed to share of who they are. */
  openidScopes: OpenidScope[]
  /** null: it was not an OpenID request. */
  signIn: SignIn | null
  redirectUri: string
  codeChallenge: string | null
  /**
   * Thumbprint of the key to which its code is bound, and with a public client its refresh tokens (RFC 9449 §5, §10);
   * null: to none.
   */
  dpopJkt: string | null
  /**
   * Seconds from its beginning until it is over by itself: the person is in front of the page, and the app asks again
   * instead of refreshing. null: it has refresh tokens and lasts until it is ended.
   */
  lifetime: number | null
}

/** What must still be true in the world for a grant to be used, as read in the same query as the grant. */
export interface GrantStanding {
  ended: boolean
  appEpoch: number
  userEpoch: number
  installEnded: boolean
  installSuspended: boolean
  userDisabled: boolean
  isMember: boolean
}

/** What ends a grant for good, whatever is done about it afterwards. */
export type GrantEnd = Extract<
  GrantReason,
  | 'grant_ended'
  | 'app_disabled'
  | 'uninstalled'
  | 'password_changed'
  | 'user_disabled'
  | 'user_left'
>

/** Why a grant is dead for good, or null. A suspended install only sleeps. */
export const endOfGrant = (grant: Grant, standing: GrantStanding): GrantEnd | null => {
  if (standing.ended) return 'grant_ended'
  if (grant.appEpoch !== standing.appEpoch) return 'app_disabled'
  if (standing.installEnded) return 'uninstalled'
  if (grant.userEpoch !== standing.userEpoch) return 'password_changed'
  if (standing.userDisabled) return 'user_disabled'
  if (!standing.isMember) return 'user_left'
  return null
}

/** What the code was issued for and what its redemption says. */
export interface CodeCheck {
  redirectUri: string | undefined
  codeVerifier: string | undefined
  /** The current interface demands both; the legacy one checks what was used at the start. */
  demanded: boolean
}

/**
 * Does the redemption match its code?
 * @throws OAuthError invalid_grant (RFC 6749 §4.1.3, RFC 7636 §4.6)
 */
export const demandCodeMatch = (grant: Grant, check: CodeCheck): void => {
  const { redirectUri, codeVerifier, demanded } = check
  if ((redirectUri !== undefined || demanded) && redirectUri !== grant.redirectUri)
    throw invalidGrant('redirect_uri_mismatch')
  if (grant.codeChallenge !== null) {
    if (codeVerifier === undefined) throw invalidGrant('verifier_missing')
    if (!verifierMatches(codeVerifier, grant.codeChallenge)) throw invalidGrant('verifier_mismatch')
  } else if (demanded || codeVerifier !== undefined) {
    // RFC 9700 §4.8.2: an attacker may have removed the challenge from the authorization request.
    throw invalidGrant('challenge_missing')
  }
}

/** Are refresh tokens of such clients bound to a key? Others have credentials of their own for that (RFC 9449 §5). */
export const bindsRefreshTokens = (clientType: ClientType) => clientType === 'public'

/** Did the request prove the key that the grant is bound to? A grant without a key needs none. */
export const provesKey = ({ dpopJkt }: Grant, proof: { jkt: string } | null): boolean =>
  dpopJkt === null || dpopJkt === proof?.jkt

/** @throws OAuthError invalid_dpop_proof without a proof, invalid_grant for the proof of another key */
export const demandKey = (grant: Grant, proof: { jkt: string } | null): void => {
  if (provesKey(grant, proof)) return
  // A client that forgot the proof loses nothing: the same request succeeds with one.
  throw proof === null ? invalidProof('proof_missing') : invalidGrant('key_mismatch')
}
