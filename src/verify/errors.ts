import type { ProofReason } from '../core/language/sub-reasons.ts'

/** Why a token was refused: stable words for logs and counters, never for the caller. */
export type TokenFault =
  // what arrived
  | 'missing'
  | 'two_credentials'
  | 'too_long'
  | 'malformed'
  | 'header'
  | 'algorithm'
  | 'key_unknown'
  | 'signature'
  // what it says
  | 'claims'
  | 'issuer'
  | 'audience'
  | 'expired'
  | 'not_yet_valid'
  | 'interface'
  // what has happened since
  | 'inactive'
  | 'token_revoked'
  | 'grant_revoked'
  | 'install_inactive'
  | 'app_inactive'
  | 'user_inactive'
  | 'not_a_member'
  | 'organization_inactive'
  // to which key it belongs
  | 'bound_to_key'
  | 'key_mismatch'

/** The token is no good, whatever is asked for. The message is the same for every reason. */
export class TokenInvalid extends Error {
  readonly code = 'token-invalid'
  /** For logs. */
  readonly reason: TokenFault

  constructor(reason: TokenFault) {
    super('the access token is missing, invalid, expired or revoked')
    this.name = 'TokenInvalid'
    this.reason = reason
  }
}

/** What a good token lacks: stable words for logs and counters. */
export type ScopeFault = 'permission' | 'organization' | 'workspace'

/** The token is good, but not for this. */
export class InsufficientScope extends Error {
  readonly code = 'insufficient_scope'
  /** For logs. */
  readonly reason: ScopeFault
  /** The permissions that are needed; empty when an organization or a workspace is out of reach. */
  readonly needed: readonly string[]

  constructor(reason: ScopeFault, needed: readonly string[] = []) {
    super('the access token does not allow this')
    this.name = 'InsufficientScope'
    this.reason = reason
    this.needed = needed
  }
}

/**
 * The sender has not proven to hold the token's key (RFC 9449 §7.1), or must do so again with the server's word for
 * the time. It says nothing of the token.
 */
export class ProofInvalid extends Error {
  readonly code: 'invalid_dpop_proof' | 'use_dpop_nonce'
  /** For logs. */
  readonly reason: ProofReason
  /** To be sent along as `DPoP-Nonce`; null: no other proof would help. */
  readonly nonce: string | null

  constructor(reason: ProofReason, nonce: string | null = null) {
    super(
      nonce === null
        ? 'the DPoP proof is missing, invalid or was used before'
        : 'the DPoP proof must have the nonce of the DPoP-Nonce header',
    )
    this.name = 'ProofInvalid'
    this.code = nonce === null ? 'invalid_dpop_proof' : 'use_dpop_nonce'
    this.reason = reason
    this.nonce = nonce
  }
}

/** Why nobody can tell whether a token is good. */
export type UnavailableReason =
  | 'starting'
  | 'unreachable'
  | 'refused'
  | 'bad_answer'
  | 'stale'
  | 'overloaded'
  | 'closed'

/** The authorization server is needed and away, so nobody is let in; the request may be repeated. */
export class VerificationUnavailable extends Error {
  readonly code = 'temporarily_unavailable'
  /** For logs. */
  readonly reason: UnavailableReason
  /** Seconds. */
  readonly retryAfter = 1

  constructor(reason: UnavailableReason, cause?: unknown) {
    super('the access token cannot be verified at the moment', { cause })
    this.name = 'VerificationUnavailable'
    this.reason = reason
  }
}

export type VerificationError =
  | TokenInvalid
  | ProofInvalid
  | InsufficientScope
  | VerificationUnavailable
