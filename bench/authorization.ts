import { createHash } from 'node:crypto'

export const redirectUri = 'https://app.example/cb'

/** One verifier for all requests: hashing any verifier costs the same. */
export const codeVerifier = 'bench-verifier-of-forty-three-characters-0123456789'
export const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')

export const scope = 'records:create records:update'

/**
 * The query of an authorization request.
 * @param more further scopes
 */
export const authorizeQuery = (clientId: string, ...more: string[]) =>
  new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: [scope, ...more].join(' '),
    state: 'state-of-the-benchmark',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  }).toString()
