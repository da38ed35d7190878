// Public keys of earlier servers, for data APIs that still verify the tokens of those. Nothing here verifies with them.
import { createPublicKey } from 'node:crypto'
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { LineRefused } from '../organizations/import-attempts.ts'

export type PublicJwk = Readonly<Record<string, unknown>> & { kid: string }

export interface VerificationKeyStore {
  /** Stores the key, or its new end. @returns `taken`: another key has this id, which may be one of ours */
  put(
    jwk: PublicJwk,
    until: Date,
    event: AuditEvent,
  ): Promise<'created' | 'updated' | 'unchanged' | 'taken'>
  /** Those that are not over, oldest first. */
  list(): Promise<PublicJwk[]>
}

const publicMembers = [
  ...['kty', 'kid', 'use', 'alg', 'key_ops', 'n', 'e', 'crv', 'x', 'y'],
  ...['x5c', 'x5t', 'x5t#S256'],
]

const longestKid = 256
const longestKey = 8192 // characters of JSON

/** @throws LineRefused */
const publicPartOf = (jwk: object): PublicJwk => {
  const members = Object.entries(jwk).filter(([name]) => publicMembers.includes(name))
  const key = Object.fromEntries(members) as PublicJwk
  const { kid, kty } = key
  if (typeof kid !== 'string' || kid === '' || kid.length > longestKid)
    throw new LineRefused('jwk needs a kid')
  try {
    if (kty === 'oct' || JSON.stringify(key).length > longestKey) throw new TypeError('refused')
    createPublicKey({ key, format: 'jwk' })
  } catch {
    throw new LineRefused('jwk is not a public key')
  }
  return key
}

export const createVerificationKeys = (deps: {
  store: VerificationKeyStore
  /** Milliseconds since 1970. */
  now: () => number
}) => {
  const { store, now } = deps
  return {
    /** @throws LineRefused */
    put: async ({ jwk, until }: { jwk: object; until: string }, cause: Cause) => {
      const key = publicPartOf(jwk)
      const end = new Date(until)
      if (!(end.getTime() > now())) throw new LineRefused('until must be in the future')
      const detail = { created: { verification_keys: 1 }, kid: key.kid, until: end.toISOString() }
      const outcome = await store.put(key, end, auditEvent(cause, 'import.stored', { detail }))
      if (outcome === 'taken') throw new LineRefused('another key has this kid')
      return outcome
    },

    /** The keys that aliased `jwks` paths publish after ours. */
    published: () => store.list(),
  }
}
