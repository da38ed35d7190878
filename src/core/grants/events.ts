import type { Grant } from './grant.ts'

export interface GrantEvents {
  /** A spent code or refresh token came again from its own client; its family has ended. */
  reuseDetected(grant: Grant, generation: number): void
  /** A family ended because of what has become of its user, app or install. */
  ended(grant: Grant, reason: string): void
  /** The app got a token of this grant. */
  used(grant: Grant): void
  /** The app got a token of this install that belongs to no grant, or to one that goes when the token does. */
  installUsed(installId: string): void
}
