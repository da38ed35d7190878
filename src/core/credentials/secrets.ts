import { hintOf, newId, newSecret } from '../crypto/identifiers.ts'
import type { Keyring } from '../crypto/keyring.ts'
import type { Fault } from '../language/faults.ts'

/** What may be known of a machine secret after it was shown. */
export interface Secret {
  id: string
  hint: string
  createdAt: Date
  lastUsedAt: Date | null
  /** When it ends or ended; null: it does not. */
  expiresAt: Date | null
}

/** A secret as it is stored: not the secret. */
export interface NewSecret {
  id: string
  digest: Buffer
  /** Under which master key. */
  digestKeyId: string
  hint: string
}

/** The longest time for which an old secret may be kept beside its successor, in seconds. */
export const longestOverlap = 90 * 24 * 3600

/** A new secret: to be shown once, and to be stored. */
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
      hint: hintOf(secret),
    },
  }
}

/** Seconds for which the secrets before a new one stay good. */
export const overlapFaults = (seconds: number): Fault[] =>
  Number.isInteger(seconds) && seconds >= 0 && seconds <= longestOverlap
    ? []
    : [
        {
          pointer: '/retire_others_after_seconds',
          detail: `must be 0 to ${longestOverlap} seconds`,
        },
      ]
