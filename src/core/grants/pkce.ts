import { createHash, timingSafeEqual } from 'node:crypto'

// RFC 7636 §4.1: 43 to 128 unreserved characters; §4.2: a S256 challenge is exactly 43 of base64url.
const verifierShape = /^[A-Za-z0-9\-._~]{43,128}$/
const challengeShape = /^[A-Za-z0-9\-_]{43}$/

export const isChallenge = (value: string) => challengeShape.test(value)

/** True when S256(verifier) is the challenge; a verifier outside RFC 7636 §4.1 never is. */
export const verifierMatches = (verifier: string, challenge: string) => {
  if (!verifierShape.test(verifier)) return false
  const computed = createHash('sha256').update(verifier).digest('base64url')
  return (
    computed.length === challenge.length &&
    timingSafeEqual(Buffer.from(computed), Buffer.from(challenge))
  )
}
