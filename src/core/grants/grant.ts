import type { ClientType } from '../clients/app.ts'
import type { OpenidScope, SignIn } from '../clients/openid.ts'
import { invalidGrant, invalidProof, type OAuthError } from '../language/errors.ts'
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

/** Why this redemption does not match its code (RFC 6749 §4.1.3, RFC 7636 §4.6), or null. */
export const codeMismatch = (grant: Grant, proof: CodeCheck): OAuthError | null => {
  if (proof.redirectUri !== undefined || proof.demanded) {
    if (proof.redirectUri !== grant.redirectUri) return invalidGrant('redirect_uri_mismatch')
  }
  if (grant.codeChallenge !== null) {
    if (proof.codeVerifier === undefined) return invalidGrant('verifier_missing')
    if (!verifierMatches(proof.codeVerifier, grant.codeChallenge))
      return invalidGrant('verifier_mismatch')
  } else if (proof.demanded || proof.codeVerifier !== undefined) {
    // RFC 9700 §4.8.2: an attacker may have removed the challenge from the authorization request.
    return invalidGrant('challenge_missing')
  }
  return null
}

/** Are refresh tokens of such clients bound to a key? Others have credentials of their own for that (RFC 9449 §5). */
export const bindsRefreshTokens = (clientType: ClientType) => clientType === 'public'

/**
 * Why this is not the key to which the grant is bound, or null.
 * @param jkt thumbprint of the key that was proven; null: none was
 */
export const keyMismatch = ({ dpopJkt }: Grant, jkt: string | null): OAuthError | null => {
  if (dpopJkt === null || jkt === dpopJkt) return null
  // Nothing is lost by forgetting the proof: the same request is good with one.
  return jkt === null ? invalidProof('proof_missing') : invalidGrant('key_mismatch')
}
