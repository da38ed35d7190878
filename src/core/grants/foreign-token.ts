// Refresh tokens of the server that an app used before (decision 0120). The family of such a token is named by its digest, so
// it is found by the query that finds any other grant.
import { createHash } from 'node:crypto'
import { derivedUuid, hasOwnForm } from '../crypto/identifiers.ts'
import type { GrantToken } from './token-format.ts'

/** A code or refresh token that a client has presented. */
export interface ReadToken extends GrantToken {
  /** It does not have our form. Whether it was taken over is known by its grant only. */
  isForeign?: true
}

/** The generation of a refresh token that was taken over. Those that replace it are ours. */
export const takenOverGeneration = 1

const longest = 8192

/** SHA-256 in lower-case hex, as earlier servers store it. */
export const digestOfToken = (text: string): string =>
  createHash('sha256').update(text).digest('hex')

/** @param digest of the refresh token @returns the id of its family, a UUID */
export const familyOfDigest = (digest: string): string =>
  derivedUuid(`latchkey taken over ${digest}`)

/** @returns null for a token that has our form, and for an oversized one */
export const foreignTokenOf = (text: string): ReadToken | null =>
  text === '' || text.length > longest || hasOwnForm(text)
    ? null
    : {
        familyId: familyOfDigest(digestOfToken(text)),
        generation: takenOverGeneration,
        isForeign: true,
      }
