import type { TokenLifetimes } from '../clients/token-lifetime.ts'
import type { Interface } from '../language/permissions.ts'

/** Seconds in which a code must be redeemed (RFC 6749 §4.1.2 allows 600). */
export const codeLifetime = 60

/**
 * Lifetime in seconds of a grant without a refresh token. It covers an access token that was fetched in the last
 * second of the code.
 */
export const briefGrantLifetime = (generation: Interface, lifetimes: TokenLifetimes): number =>
  codeLifetime + lifetimes[generation]
