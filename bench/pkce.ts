import { createHash } from 'node:crypto'

/** One verifier for all: hashing it costs the same whichever it is. */
export const codeVerifier = 'bench-verifier-of-forty-three-characters-0123456789'
export const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
