import { createHash } from 'node:crypto'

/**
 * The record key of a token that is accepted once. It depends on no master key: all instances compute the same key,
 * in whatever order they list theirs.
 */
export const singleUseKey = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
