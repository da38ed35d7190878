import type { Keyring } from '../crypto/keyring.ts'
import { encodeGrantToken, type GrantToken } from './token-format.ts'

/** When the install and the consent of a grant end by themselves, the nearer of both. */
export interface Expiring {
  /** Seconds until their end date; null or absent: they have none. */
  endsIn?: number | null
  /** Seconds without use after which they end; null or absent: they have no such rule. */
  idleSeconds?: number | null
}

/** The same for an app, in seconds from now (draft-ietf-oauth-refresh-token-expiration-03); null: no such end. */
export interface RefreshExpiration {
  authorization: number | null
  /** Each use moves it; never after the end of the authorization. */
  timeout: number | null
}

export type RefreshToken = RefreshExpiration & { token: string }

/** @param unused seconds since the last use */
export const refreshExpiration = ({ endsIn = null, idleSeconds = null }: Expiring, unused = 0) => ({
  authorization: endsIn,
  timeout: idleSeconds && Math.min(Math.max(idleSeconds - unused, 0), endsIn ?? idleSeconds),
})

export const refreshTokenOf = (
  keyring: Keyring,
  token: GrantToken,
  expiring: Expiring,
): RefreshToken => ({ token: encodeGrantToken(keyring, token), ...refreshExpiration(expiring) })
