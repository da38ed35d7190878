import { createHash } from 'node:crypto'
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

/** What is stored of a secret: its digest, never its text. */
export interface Digested {
  digest: Buffer
  /** Id of the master key of the digest. */
  digestKeyId: string
  hint: string
}

export const digested = (keyring: Pick<Keyring, 'digest' | 'keyIds'>, secret: string) => ({
  digest: keyring.digest(secret),
  digestKeyId: keyring.keyIds[0],
  hint: secretHint(secret),
})

export interface NewSecret extends Digested {
  id: string
  /** A hash of another server, until a client shows the secret. The digest then matches no secret. */
  foreignHash?: string
  /** It came by an import. */
  applied?: AppliedValue
}

/** A value that imports apply once. */
export interface AppliedValue {
  kind: 'password' | 'app_secret' | 'key_set_secret' | 'consent' | 'grant' | 'line'
  /** What has the value. */
  subject: string
  /** The first one is stored; one of the others may have been stored under an earlier master key. */
  digests: readonly Buffer[]
}

/** What an import does with a value: it was applied before, it is new, or the value was changed here since. */
export type Applicability = 'unchanged' | 'applies' | 'refused'

/** @param present names the state of the subject now; null: it has no such value */
export type Judge = (present: string | null) => Applicability

/** What the operator chooses for a new client. Absent: the server makes it. */
export interface ChosenCredentials<None = never> {
  clientId?: string | undefined
  clientSecret?: string | None | undefined
}

/** The longest time in seconds for which an old secret may stay valid beside its successor. */
export const longestOverlap = 90 * 24 * 3600

/** Makes a secret to show once, and the record to store. */
export const newStoredSecret = (
  kind: 'app' | 'keySet',
  keyring: Pick<Keyring, 'digest' | 'keyIds'>,
  secret: string = newSecret(kind),
): { secret: string; stored: NewSecret } => ({
  secret,
  stored: { id: newId('secret'), ...digested(keyring, secret) },
})

/** @param seconds for which the previous secrets stay valid beside a new one */
export const overlapFaults = (seconds: number): Fault[] => {
  const detail = `must be 0 to ${longestOverlap} seconds`
  return Number.isInteger(seconds) && seconds >= 0 && seconds <= longestOverlap
    ? []
    : [faultAt('/retire_others_after_seconds', 'out_of_range', detail)]
}

/** A secret of an import: its text, or its hash in a form that the caller has checked. */
export const importedSecret = (
  keyring: Pick<Keyring, 'digest' | 'digests' | 'keyIds'>,
  about: Pick<AppliedValue, 'kind' | 'subject'>,
  { secret, secretHash = '' }: { secret?: string | undefined; secretHash?: string | undefined },
): NewSecret & { applied: AppliedValue } => {
  if (secret !== undefined) {
    const { stored } = newStoredSecret('app', keyring, secret)
    return { ...stored, applied: { ...about, digests: keyring.digests(secret) } }
  }
  const { stored } = newStoredSecret('app', keyring)
  const digests = [createHash('sha256').update(secretHash).digest()]
  return { ...stored, hint: '…', foreignHash: secretHash, applied: { ...about, digests } }
}
