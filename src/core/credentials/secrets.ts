import { newId, newSecret, secretHint } from '../crypto/identifiers.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { type Fault, faultAt } from '../language/faults.ts'

/** The data of a machine secret that can be read after its creation. */
export interface Secret {
  id: string
  hint: string
  createdAt: Date
  lastUsedAt: Date | null
  /** null: the secret does not expire */
  expiresAt: Date | null
}

/** A secret as stored: its digest, never its text. */
export interface NewSecret {
  id: string
  digest: Buffer
  /** Id of the master key of the digest. */
  digestKeyId: string
  hint: string
}

/** The longest time in seconds for which an old secret may stay valid beside its successor. */
export const longestOverlap = 90 * 24 * 3600

/** Makes a secret to show once, and the record to store. */
export const newStoredSecret = (
  kind: 'app' | 'keySet',
  keyring: Pick<Keyring, 'digest' | 'keyIds'>,
): { secret: string; stored: NewSecret } => {
  const secret = newSecret(kind)
  return {
    secret,
    stored: {
      id: newId('secret'),
      digest: keyring.digest(secret),
      digestKeyId: keyring.keyIds[0],
      hint: secretHint(secret),
    },
  }
}

/** @param seconds for which the previous secrets stay valid beside a new one */
export const overlapFaults = (seconds: number): Fault[] =>
  Number.isInteger(seconds) && seconds >= 0 && seconds <= longestOverlap
    ? []
    : [
        faultAt(
          '/retire_others_after_seconds',
          'out_of_range',
          `must be 0 to ${longestOverlap} seconds`,
        ),
      ]
