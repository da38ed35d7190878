/** Signature algorithms of ID tokens (RFC 7518 §3.1). Access tokens always have ES256. */
export const signingAlgorithms = ['ES256', 'RS256'] as const
export type SigningAlgorithm = (typeof signingAlgorithms)[number]
