import type { App } from '../clients/app.ts'
import type { ClientType } from '../clients/client-type.ts'
import type { OpenidScope, SignIn } from '../clients/openid.ts'
import { invalidGrant, invalidProof } from '../language/errors.ts'
import type { WorkspaceLimit } from '../language/scope.ts'
import type { GrantReason } from '../language/sub-reasons.ts'
import type { KeptOut } from '../organizations/audience.ts'
import type { InstallPause } from '../organizations/install.ts'
import type { Authentication } from '../people/sign-in-method.ts'
import { verifierMatches } from './pkce.ts'

/** One user's authorization of one app in one organization. Its tokens form a refresh family. */
export interface Grant {
  /** Id of the family (UUID). */
  id: string
  userId: string
  clientId: string
  organizationId: string
  installId: string
  appEpoch: number
  userEpoch: number
  /** How often the user had disconnected the app there when the grant was made; absent: not read yet. */
  connectionEpoch?: number
  permissions: string[]
  workspaceIds: WorkspaceLimit
  /** The resources that the request named (RFC 8707); null: none, so the tokens are for the default audience. */
  resources?: string[] | null
  /** The user's sign-in; null: the grant was made by a version that did not store it. */
  authentication?: Authentication | null
  /** Identity scopes that the user approved. */
  openidScopes: OpenidScope[]
  /** null: not an OpenID request */
  signIn: SignIn | null
  redirectUri: string
  /** It came by the device flow; absent: it did not. */
  byDevice?: boolean
  codeChallenge: string | null
  /**
   * Thumbprint of the key that the code is bound to, and with a public client the refresh tokens (RFC 9449 §5, §10);
   * null: not bound.
   */
  dpopJkt: string | null
  /**
   * Seconds until the grant expires: the user is in front of the page, and the app sends a new request instead of
   * refreshing. null: the grant has refresh tokens and does not expire.
   */
  lifetime: number | null
}

/** The conditions for using a grant, read in the same query as the grant. */
export interface GrantStanding {
  ended: boolean
  appEpoch: number
  userEpoch: number
  installEnded: boolean
  /** Why it gives nothing at present; null: it does. */
  paused: InstallPause | null
  userDisabled: boolean
  isMember: boolean
  /** Why the user may not use the app there; null: they may. */
  keptOut: KeptOut | null
}

/** Why a grant has ended for good, whatever changes later. */
export type GrantEnd = Extract<
  GrantReason,
  | 'grant_ended'
  | 'app_disabled'
  | 'uninstalled'
  | 'password_changed'
  | 'user_disabled'
  | 'user_left'
  | KeptOut
>

/** Why a grant has ended for good; null: it has not. A pause does not end it. */
export const endOfGrant = (grant: Grant, standing: GrantStanding): GrantEnd | null => {
  if (standing.ended) return 'grant_ended'
  if (grant.appEpoch !== standing.appEpoch) return 'app_disabled'
  if (standing.installEnded) return 'uninstalled'
  if (grant.userEpoch !== standing.userEpoch) return 'password_changed'
  if (standing.userDisabled) return 'user_disabled'
  if (!standing.isMember) return 'user_left'
  return standing.keptOut
}

/** The parameters of a redemption that must match its code. */
export interface CodeCheck {
  redirectUri: string | undefined
  codeVerifier: string | undefined
  /** The current interface requires both. The legacy interface checks those that the authorization request had. */
  demanded: boolean
}

/** Checks that the redemption matches its code. @throws OAuthError invalid_grant (RFC 6749 §4.1.3, RFC 7636 §4.6) */
export const demandCodeMatch = (grant: Grant, check: CodeCheck, app: Pick<App, 'pkceRequired'>) => {
  const { redirectUri, codeVerifier, demanded } = check
  if ((redirectUri !== undefined || demanded) && redirectUri !== grant.redirectUri)
    throw invalidGrant('redirect_uri_mismatch')
  if (grant.codeChallenge !== null) {
    if (codeVerifier === undefined) throw invalidGrant('verifier_missing')
    if (!verifierMatches(codeVerifier, grant.codeChallenge)) throw invalidGrant('verifier_mismatch')
  } else if ((demanded && app.pkceRequired) || codeVerifier !== undefined) {
    // RFC 9700 §4.8.2: an attacker may have removed the challenge from the authorization request.
    throw invalidGrant('challenge_missing')
  }
}

/** Are refresh tokens of such clients bound to a key? Confidential clients authenticate instead (RFC 9449 §5). */
export const bindsRefreshTokens = (clientType: ClientType) => clientType === 'public'

/** Did the request prove the key with this thumbprint? null: none is needed. */
export const provesKey = (jkt: string | null, proof: { jkt: string } | null): boolean =>
  jkt === null || jkt === proof?.jkt

/** @throws OAuthError invalid_dpop_proof without a proof, invalid_grant for the proof of another key */
export const demandKey = (jkt: string | null, proof: { jkt: string } | null): void => {
  if (provesKey(jkt, proof)) return
  // A client that forgot the proof loses nothing: the same request succeeds with one.
  throw proof === null ? invalidProof('proof_missing') : invalidGrant('key_mismatch')
}
