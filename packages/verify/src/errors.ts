import type { ProofReason } from './rules/proof-reasons.ts'

/**
 * Names the class of an error on its prototype. A program may load this library twice, as an ES module and as CommonJS,
 * and each copy must know the errors of the other: with `instanceof` too.
 */
const brand = Symbol.for('@latchkey-auth/verify.error')

const brandOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, brand) : undefined

const setBrand = (prototype: object, name: string) =>
  Object.defineProperty(prototype, brand, { value: name })

/** The reason of a refused token. Stable words for logs and metrics, never for the caller. */
export type TokenFault =
  // the credential itself
  | 'missing'
  | 'two_credentials'
  | 'too_long'
  | 'malformed'
  | 'header'
  | 'algorithm'
  | 'key_unknown'
  | 'signature'
  // its claims
  | 'claims'
  | 'issuer'
  | 'audience'
  | 'expired'
  | 'not_yet_valid'
  | 'interface'
  // revocations since it was issued
  | 'inactive'
  | 'token_revoked'
  | 'grant_revoked'
  | 'install_inactive'
  | 'app_inactive'
  | 'user_inactive'
  | 'not_a_member'
  | 'not_in_audience'
  | 'organization_inactive'
  | 'organization_not_served'
  // its key binding
  | 'bound_to_key'
  | 'key_mismatch'

/** The token is invalid for any request. The message is the same for every reason. */
export class TokenInvalid extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return brandOf(value) === 'TokenInvalid'
  }

  readonly code = 'token-invalid'
  /** For logs. */
  readonly reason: TokenFault

  constructor(reason: TokenFault) {
    super('the access token is missing, invalid, expired or revoked')
    this.name = 'TokenInvalid'
    this.reason = reason
  }
}

/** The missing right of a valid token. Stable words for logs and metrics. */
export type ScopeFault = 'permission' | 'organization' | 'workspace'

/** The token is valid, but not sufficient for this request. */
export class InsufficientScope extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return brandOf(value) === 'InsufficientScope'
  }

  readonly code = 'insufficient_scope'
  /** For logs. */
  readonly reason: ScopeFault
  /** The required permissions; empty when an organization or a workspace is out of reach. */
  readonly needed: readonly string[]

  constructor(reason: ScopeFault, needed: readonly string[] = []) {
    super('the access token does not allow this')
    this.name = 'InsufficientScope'
    this.reason = reason
    this.needed = needed
  }
}

/** What the sign-in of the user lacks. Stable words for logs and metrics. */
export type AuthenticationFault = 'no_user' | 'acr' | 'max_age'

/** The sign-in that a request demands. */
export interface AuthenticationDemand {
  /** The accepted context classes, the preferred one first; empty: any. */
  readonly acr: readonly string[]
  /** Seconds since the sign-in at most; null: any. */
  readonly maxAge: number | null
}

/**
 * The token is valid, but the user has to sign in again, or in another way (RFC 9470 §3). The app asks for that at the
 * authorization page, with the parameters of the challenge.
 */
export class InsufficientAuthentication extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return brandOf(value) === 'InsufficientAuthentication'
  }

  readonly code = 'insufficient_user_authentication'
  /** For logs. */
  readonly reason: AuthenticationFault
  readonly demanded: AuthenticationDemand

  constructor(reason: AuthenticationFault, demanded: AuthenticationDemand) {
    super('a more recent or stronger sign-in of the user is required')
    this.name = 'InsufficientAuthentication'
    this.reason = reason
    this.demanded = demanded
  }
}

/**
 * The sender has not proven possession of the token's key (RFC 9449 §7.1), or must do so again with a nonce of the
 * server. This says nothing about the token.
 */
export class ProofInvalid extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return brandOf(value) === 'ProofInvalid'
  }

  readonly code: 'invalid_dpop_proof' | 'use_dpop_nonce'
  /** For logs. */
  readonly reason: ProofReason
  /** Must be sent as `DPoP-Nonce`; null when a new nonce would not help. */
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

/** The reason why a token cannot be verified at the moment. */
export type UnavailableReason =
  | 'starting'
  | 'unreachable'
  | 'refused'
  | 'bad_answer'
  | 'stale'
  | 'overloaded'
  | 'closed'

/** The authorization server is needed but unavailable, so the request is refused. It may be repeated. */
export class VerificationUnavailable extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return brandOf(value) === 'VerificationUnavailable'
  }

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

/** What the program does wrong. Stable words for logs and metrics. */
export type MisuseReason = 'requirement' | ScopeFault

/** The program uses this library wrongly, which is the fault of no client. The message says what to change. */
export class WrongUse extends TypeError {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return brandOf(value) === 'WrongUse'
  }

  readonly code = 'wrong_use'
  /** For logs. */
  readonly reason: MisuseReason

  constructor(reason: MisuseReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

export type VerificationError =
  | TokenInvalid
  | ProofInvalid
  | InsufficientScope
  | InsufficientAuthentication
  | VerificationUnavailable

const classes = {
  TokenInvalid,
  ProofInvalid,
  InsufficientScope,
  InsufficientAuthentication,
  VerificationUnavailable,
}
for (const [name, Class] of Object.entries({ ...classes, WrongUse }))
  setBrand(Class.prototype, name)

/** True for refusals by this library, also for those of another copy of it in the same program. */
export const isVerificationError = (error: unknown): error is VerificationError =>
  Object.hasOwn(classes, String(brandOf(error)))
