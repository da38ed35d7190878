import type { Grant } from './grant.ts'

export interface GrantEvents {
  /** The client replayed a consumed code or refresh token, and the family has ended. */
  reuseDetected(grant: Grant, generation: number): void
  /** A family ended because its user, app or install was changed or removed. */
  ended(grant: Grant, reason: string): void
  /** The app got a token of this grant. */
  used(grant: Grant): void
  /** The app got a token of this install, without a grant or with one that expires together with the token. */
  installUsed(installId: string): void
}
