import { sign } from 'node:crypto'
import { type AccessTokenSubject, accessTokenLifetime, claimsOf } from '../domain/access-token.ts'
import { randomText } from '../domain/random.ts'
import type { SigningKeys } from './signing-keys.ts'

export interface AccessTokens {
  /** Signs a JWT access token (RFC 9068, ES256). @returns the token and its life in seconds */
  issue(subject: AccessTokenSubject): { accessToken: string; expiresIn: number }
}

export const createAccessTokens = (deps: {
  signingKeys: Pick<SigningKeys, 'active'>
  issuer: string
  audience: string
  /** Milliseconds since 1970. */
  now: () => number
}): AccessTokens => {
  const { signingKeys, issuer, audience, now } = deps
  const headers = new Map<string, string>()

  const headerOf = (kid: string, alg: string) => {
    const known = headers.get(kid)
    if (known) return known
    const text = Buffer.from(JSON.stringify({ alg, typ: 'at+jwt', kid })).toString('base64url')
    headers.set(kid, text)
    return text
  }

  return {
    issue: (subject) => {
      const { kid, alg, privateKey } = signingKeys.active()
      const claims = claimsOf(subject, {
        issuer,
        audience,
        issuedAt: Math.floor(now() / 1000),
        jti: randomText(16),
      })
      const body = Buffer.from(JSON.stringify(claims)).toString('base64url')
      const input = `${headerOf(kid, alg)}.${body}`
      // RFC 7518 §3.4: ES256 is r || s. Synchronous, because a key object signs in 20 µs.
      const signature = sign('sha256', Buffer.from(input), {
        key: privateKey,
        dsaEncoding: 'ieee-p1363',
      }).toString('base64url')
      return {
        accessToken: `${input}.${signature}`,
        expiresIn: accessTokenLifetime[subject.interface],
      }
    },
  }
}
