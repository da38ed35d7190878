import {
  type ClientReason,
  type GrantReason,
  type ProofReason,
  type ScopeReason,
  scopeReasons,
  type TargetReason,
  targetReasons,
} from './sub-reasons.ts'

/**
 * Error codes of RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, OpenID Connect Core §3.1.2.6, RFC 8628, RFC 8693, RFC
 * 8707, RFC 9126, RFC 9449 and RFC 6585.
 */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'unsupported_response_mode'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'interaction_required'
  | 'invalid_request_uri'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'slow_down'
  | 'authorization_pending'
  | 'expired_token'
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce'

const statuses: Partial<Record<OAuthErrorCode, number>> = {
  invalid_client: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  server_error: 500,
  temporarily_unavailable: 503,
  slow_down: 429,
}

/** The client and user of a refused request. */
export interface RefusedParties {
  clientId: string
  organizationId: string
  userId: string | null
}

/**
 * A refused request. `description` is public and never echoes input; `reason` is a stable sub-reason for logs and the
 * audit trail.
 */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly status: number
  readonly description: string
  readonly reason: string
  /** Seconds after which the request may be repeated (429, 503). */
  readonly retryAfter: number | undefined
  /** Used in the audit trail and the counters, never in a response; null until known. */
  about: RefusedParties | null = null

  constructor(
    code: OAuthErrorCode,
    description: string,
    options: { reason?: string; cause?: unknown; retryAfter?: number; status?: number } = {},
  ) {
    super(description, { cause: options.cause })
    this.name = 'OAuthError'
    this.code = code
    this.status = options.status ?? statuses[code] ?? 400
    this.description = description
    this.reason = options.reason ?? code
    this.retryAfter = options.retryAfter
  }
}

/** Adds the client and user to an OAuthError that has none yet; returns any error unchanged. */
export const about = (error: unknown, about: RefusedParties): unknown => {
  if (error instanceof OAuthError) error.about ??= about
  return error
}

/** A store did not answer in time or not at all; the caller may repeat the request. */
export class StoreUnavailable extends Error {
  readonly store: 'postgres' | 'redis'
  /** false: the store did not run the command and never will. */
  readonly mayHaveRun: boolean

  constructor(store: 'postgres' | 'redis', cause?: unknown, mayHaveRun = true) {
    super(`${store} is unavailable`, { cause })
    this.name = 'StoreUnavailable'
    this.store = store
    this.mayHaveRun = mayHaveRun
  }
}

export const invalidRequest = (description: string, reason = 'invalid_request') =>
  new OAuthError('invalid_request', description, { reason })

export const invalidGrant = (reason: GrantReason, cause?: unknown) =>
  new OAuthError(
    'invalid_grant',
    'the code, refresh token, assertion or authorization is invalid, expired, revoked or was issued to another client',
    { reason, cause },
  )

const unauthorized = {
  public_client: 'a public client may not use this grant type',
  id_jag_off: 'the client may not use identity assertions',
  device_flow_off: 'the client may not use device authorization',
  no_legacy_app: 'the client is not the successor of a legacy app',
  weaker_than_legacy: 'a public client cannot take over from an app that has a secret',
} as const satisfies Partial<Record<GrantReason, string>>

export const unauthorizedClient = (reason: keyof typeof unauthorized) =>
  new OAuthError('unauthorized_client', unauthorized[reason], { reason })

export const invalidScope = (reason: ScopeReason) =>
  new OAuthError('invalid_scope', scopeReasons[reason], { reason })

/** RFC 8707 §2. */
export const invalidTarget = (reason: TargetReason) =>
  new OAuthError('invalid_target', targetReasons[reason], { reason })

/** One response for a missing, unknown, disabled or wrong client or secret (RFC 6749 §5.2). */
export const invalidClient = (reason: ClientReason, cause?: unknown) =>
  new OAuthError('invalid_client', 'client authentication failed', { reason, cause })

const proofFaults: Record<ProofReason, string> = {
  proof_algorithm: 'the DPoP proof is signed with an algorithm that is not accepted',
  proof_key: 'the jwk of the DPoP proof is not an accepted public key',
  proof_malformed: 'the DPoP proof is malformed, or there is more than one',
  proof_method: 'the DPoP proof is for another HTTP method',
  proof_missing: 'a DPoP proof is required',
  proof_other_key: 'dpop_jkt is not the thumbprint of the key of the DPoP proof',
  proof_replayed: 'the DPoP proof was used before',
  proof_signature: 'the signature of the DPoP proof is invalid',
  proof_stale: 'the DPoP proof must have the nonce of the DPoP-Nonce header',
  proof_token: 'the DPoP proof is for another access token',
  proof_url: 'the DPoP proof is for another URL',
}

/** RFC 9449 §5. The grant or token is not consumed. */
export const invalidProof = (reason: Exclude<ProofReason, 'proof_stale'>) =>
  new OAuthError('invalid_dpop_proof', proofFaults[reason], { reason })

/** RFC 9449 §8: the response must carry a new nonce. */
export const staleProof = () =>
  new OAuthError('use_dpop_nonce', proofFaults.proof_stale, { reason: 'proof_stale' })
