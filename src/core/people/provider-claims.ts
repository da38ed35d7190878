// What the platform's provider says about a user.
import { normaliseEmail } from './email-address.ts'

/** The user that the provider has authenticated, with its claims. */
export interface ProviderUser {
  issuer: string
  subject: string
  /** null when the provider sends none */
  email: string | null
  emailVerified: boolean
  name: string | null
  /** Milliseconds since 1970 of the sign-in at the provider; null when it does not say. */
  authenticatedAt: number | null
}

/** OpenID Connect Core §2 allows 255 characters. The stores cannot hold NUL. */
export const isSubject = (sub: string) => sub.length <= 255 && !sub.includes('\0')

export type Claims = Record<string, unknown>

export const textOf = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

/**
 * `email_verified` describes the claim `email`: it applies to another claim only if there is no `email` or both are
 * equal. Only the boolean `true` counts (OpenID Connect Core §5.1).
 */
export const readEmail = (claims: Claims, name: string) => {
  const email = textOf(claims[name])
  const standard = textOf(claims.email) ?? email
  const isSame =
    email !== null && standard !== null && normaliseEmail(email) === normaliseEmail(standard)
  return { email, emailVerified: isSame && claims.email_verified === true }
}
