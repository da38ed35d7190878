import { hash } from 'node:crypto'

/** SHA-256 in base64url. */
export const digestOf = (text: string): string => hash('sha256', text, 'base64url')

/** A short name for a value, of which no part can be read: 132 bits of the digest of its JSON. */
export const fingerprintOf = (value: unknown): string =>
  digestOf(JSON.stringify(value)).slice(0, 22)

/**
 * The record key of a token that is accepted once. It depends on no master key: all instances compute the same key,
 * in whatever order they list theirs.
 */
export const singleUseKey = (...parts: readonly string[]): string => digestOf(JSON.stringify(parts))
