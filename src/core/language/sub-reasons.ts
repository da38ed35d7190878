// Stable sub-reasons of refusals, for the audit trail, the log, the counters and the token inspector. They never
// appear in a public response. docs/errors.md explains each and its remedy.

/** The ends of a grant: its codes and refresh tokens yield no token, and its tokens are not accepted. */
const grantEnds = [
  'app_disabled',
  'code_expired_or_ended',
  'code_reused',
  'denied',
  'family_ended',
  'grant_ended',
  'install_suspended',
  'moved',
  'not_in_audience',
  'password_changed',
  'policy',
  'refresh_token_reused',
  'uninstalled',
  'user_disabled',
  'user_left',
] as const

const sorted = <Reason extends string>(reasons: readonly Reason[]) => reasons.toSorted()

/** Why a code, a refresh token or an install yields no token (`invalid_grant`, `unauthorized_client`). */
export const grantReasons = sorted([
  ...grantEnds,
  'actor_not_named',
  'authorization_answered_twice',
  'chain_too_long',
  'challenge_missing',
  'device_flow_off',
  'id_jag_app_not_allowed',
  'id_jag_audience',
  'id_jag_client',
  'id_jag_expired',
  'id_jag_issuer',
  'id_jag_lives_too_long',
  'id_jag_malformed',
  'id_jag_not_yet_valid',
  'id_jag_off',
  'id_jag_replayed',
  'id_jag_signature',
  'id_jag_type',
  'id_jag_user_unknown',
  'key_mismatch',
  'no_legacy_app',
  'not_installed',
  'public_client',
  'reading_not_granted',
  'redirect_uri_mismatch',
  'self_install',
  'subject_expired',
  'subject_inactive',
  'token_unknown_or_foreign',
  'token_unreadable',
  'user_disconnected',
  'user_not_member',
  'verifier_mismatch',
  'verifier_missing',
  'weaker_than_legacy',
])
export type GrantReason = (typeof grantReasons)[number]

export const isGrantReason = (text: string): text is GrantReason =>
  (grantReasons as readonly string[]).includes(text)

/**
 * Why a scope is refused (`invalid_scope`), and what users of AI clients read. Unknown, foreign and unapproved workspaces
 * have one text, so that it discloses nothing.
 */
export const scopeReasons = {
  malformed: 'scope or workspace_ids is blank, too long or badly formed',
  openid_missing: 'the scopes profile and email need the scope openid',
  openid_not_allowed: 'this client may not request the scopes openid, profile and email',
  openid_not_approved: 'the scope contains openid, profile or email, which no user has approved',
  permission_not_approved:
    'the scope exceeds the permissions that the client is registered for, the organization has approved and the user has allowed',
  permission_of_other_resource: 'the requested resources know no permission of the scope',
  token_too_long:
    'the permissions are too long for a token: narrow scope, or register fewer permissions',
  unknown_permission: 'the scope contains a name that is no permission of this interface',
  workspace_not_approved: 'workspace_ids contains a workspace that is not approved for this token',
}
export type ScopeReason = keyof typeof scopeReasons

/** Why no token is issued for a resource (`invalid_target`), and what the client reads. */
export const targetReasons = {
  resource_malformed: 'a resource must be an absolute URI without a fragment',
  resource_not_granted: 'a resource is not among those of the authorization',
  resource_not_serving: 'a resource does not serve this organization',
  resource_unknown: 'a resource is not known to this server',
  too_many_resources: 'too many resources, or they are too long',
}
export type TargetReason = keyof typeof targetReasons

/** Why client authentication failed (`invalid_client`). */
export const clientReasons = [
  'assertion_invalid',
  'assertion_lives_too_long',
  'assertion_malformed',
  'assertion_of_the_future',
  'assertion_on_legacy',
  'assertion_replayed',
  'assertion_required',
  'assertion_subject',
  'basic_malformed',
  'client_id_missing',
  'disabled',
  'jti_malformed',
  'keys_unavailable',
  'no_keys_registered',
  'other_interface',
  'secret_from_public_client',
  'secret_missing',
  'secret_wrong',
  'unknown_client',
  'workload_audience',
  'workload_mismatch',
  'workload_untrusted',
] as const
export type ClientReason = (typeof clientReasons)[number]

export { type ProofReason, proofReasons } from '#verify/rules/proof-reasons'

/** Why a presented token is not accepted. */
export const tokenReasons = sorted([
  ...grantEnds,
  'actor_disabled',
  'actor_suspended',
  'actor_uninstalled',
  'disconnected',
  'expired',
  'expiry_malformed',
  'grant_unknown',
  'id_token',
  'install_unknown',
  'issued_at_malformed',
  'issued_in_the_future',
  'issuer_malformed',
  'key_set_unknown',
  'not_yet_valid',
  'other_audience',
  'other_issuer',
  'permissions_malformed',
  'reuse_detected',
  'revoked',
  'secret_of_current_key_set',
  'secret_retired',
  'secret_unknown',
  'signature_invalid',
  'superseded',
  'token_revoked',
  'unreadable',
  'workspace_ids_malformed',
])
export type TokenReason = (typeof tokenReasons)[number]

export const isTokenReason = (text: string): text is TokenReason =>
  (tokenReasons as readonly string[]).includes(text)
