import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { SigningAlgorithm } from '../clients/signing-algorithm.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { generateSigningKey, type NewSigningKey, sealedRowOf } from './generate-key.ts'

export interface StoredSigningKey extends NewSigningKey {
  /**
   * `next`: published before its use; `active`: signs; `retired`: published until the last token that it signed has
   * expired
   */
  status: 'next' | 'active' | 'retired'
  createdAt: Date
  /** May be in the future: the previous key signs until then. */
  activatedAt: Date | null
  retiredAt: Date | null
  /** Its activation time has passed, by the store's clock. */
  inForce: boolean
}

/** The first keys of an algorithm. */
export type FirstKeys = Record<'active' | 'next', NewSigningKey>

export interface RotationTimes {
  /** Seconds for which a key must be published before it signs. */
  publishedAhead: number
  /** Seconds for which a retired key stays published. */
  keepRetired: number
}

export interface SigningKeyStore {
  /** Oldest first. @param keepRetired seconds after which a retired key is left out */
  list(keepRetired: number): Promise<StoredSigningKey[]>
  /** Stores a first active and next key of an algorithm if it has none; the loser of a race changes nothing. */
  initialise(keys: FirstKeys): Promise<void>
  /**
   * For each algorithm: makes the active key retired, the next key active and the given one next. Removes retired keys
   * after their time.
   * @returns the active key of ES256
   */
  rotate(
    next: readonly NewSigningKey[],
    times: RotationTimes,
    audit: AuditEvent,
  ): Promise<{ kid: string; activatedAt: Date }>
  /**
   * Removes all other keys of all algorithms, whatever they have signed.
   * @returns the activation time of the new keys
   */
  replace(keys: readonly FirstKeys[], audit: AuditEvent): Promise<Date>
}

export interface ActiveKey {
  kid: string
  alg: SigningAlgorithm
  privateKey: KeyObject
}

/** The algorithms that have keys. Access tokens need ES256; ID tokens of some apps need RS256. */
const algorithmsOf = (keys: readonly StoredSigningKey[]): SigningAlgorithm[] =>
  keys.some((key) => key.alg === 'RS256') ? ['ES256', 'RS256'] : ['ES256']

/**
 * Loads the signing keys, and makes the first ones if there are none.
 * @param deps.publishedAhead seconds between publication and first signature: longer than other instances need to
 * notice the key, and longer than verifiers wait between two reads of the key set
 * @param deps.longestLifetime seconds for which an access token may be valid
 */
export const createSigningKeys = async (deps: {
  store: SigningKeyStore
  keyring: Keyring
  publishedAhead: number
  longestLifetime: number
}) => {
  const { store, keyring, publishedAhead, longestLifetime } = deps
  // Twice, because other instances sign with the retired key until they notice the rotation.
  const keepRetired = 2 * longestLifetime
  const generate = (alg: SigningAlgorithm) => generateSigningKey(alg, keyring)
  const opened = new Map<string, KeyObject>()
  let published = new Map<string, KeyObject>()
  let keys: StoredSigningKey[] = []
  let active: Partial<Record<SigningAlgorithm, ActiveKey>> = {}
  let making: Promise<ActiveKey> | null = null

  const open = (key: StoredSigningKey) => {
    const known = opened.get(key.kid)
    if (known) return known
    const der = keyring.open(key.sealedPrivateKey, sealedRowOf(key))
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    opened.set(key.kid, privateKey)
    return privateKey
  }

  const firstKeys = async (alg: SigningAlgorithm): Promise<FirstKeys> => {
    const [first, next] = await Promise.all([generate(alg), generate(alg)])
    return { active: first, next }
  }

  const signingIn = (read: readonly StoredSigningKey[], alg: SigningAlgorithm) => {
    const own = read.filter((key) => key.alg === alg)
    const current = own.findLast((key) => key.inForce) ?? own.find((key) => key.status === 'active')
    return current && { kid: current.kid, alg, privateKey: open(current) }
  }

  /** Reads the keys again. Called at intervals, so that this instance sees rotations on others. */
  const refresh = async () => {
    const read = await store.list(keepRetired)
    const [ecdsa, rsa] = [signingIn(read, 'ES256'), signingIn(read, 'RS256')]
    if (!ecdsa) throw new Error('there is no active signing key')
    published = new Map(
      read.map(({ kid, publicJwk }) => [
        kid,
        published.get(kid) ?? createPublicKey({ key: publicJwk, format: 'jwk' }),
      ]),
    )
    active = { ES256: ecdsa, ...(rsa && { RS256: rsa }) }
    keys = read
  }

  if ((await store.list(keepRetired)).length === 0) await store.initialise(await firstKeys('ES256'))
  await refresh()

  /** Another instance may have made the key, at this moment too. All use the stored one. */
  const make = async (alg: SigningAlgorithm): Promise<ActiveKey> => {
    await refresh()
    const known = active[alg]
    if (known) return known
    await store.initialise(await firstKeys(alg))
    await refresh()
    return active[alg] as ActiveKey
  }

  const makeOnce = (alg: SigningAlgorithm) => {
    making ??= make(alg).finally(() => {
      making = null
    })
    return making
  }

  return {
    /** The ES256 key that signs at present. */
    active: () => active.ES256 as ActiveKey,
    /** The key of an algorithm that signs at present. It is made at its first use. @throws StoreUnavailable */
    activeFor: (alg: SigningAlgorithm) => active[alg] ?? makeOnce(alg),
    /** The public key of a published kid; null for any other. */
    publicKey: (kid: string) => published.get(kid) ?? null,
    /** RFC 7517 key set: public parts of the next, active and retired keys. */
    jwks: () => ({ keys: keys.map((key) => key.publicJwk) }),
    /** @returns the ES256 key that signs after the rotation: now, or once it has been published for long enough */
    rotate: async (cause: Cause) => {
      const algorithms = algorithmsOf(await store.list(keepRetired))
      const next = await Promise.all(algorithms.map(generate))
      const detail = { next_kid: next[0]?.kid }
      const audit = auditEvent(cause, 'signing_key.rotated', { detail })
      const signing = await store.rotate(next, { publishedAhead, keepRetired }, audit)
      await refresh()
      return signing
    },
    /**
     * Replaces all keys, when an attacker may know them.
     * @returns the key that signs from now on. Verifiers have not read it yet: tokens of the old keys are invalid
     * anyway
     */
    replace: async (cause: Cause) => {
      const algorithms = algorithmsOf(await store.list(keepRetired))
      const all = await Promise.all(algorithms.map(firstKeys))
      const [{ active: signing, next }] = all as [FirstKeys]
      const detail = { next_kid: next.kid, withdrawn: true }
      const audit = auditEvent(cause, 'signing_key.rotated', { detail })
      const activatedAt = await store.replace(all, audit)
      await refresh()
      return { kid: signing.kid, activatedAt }
    },
    list: async () =>
      (await store.list(keepRetired)).map(
        ({ sealedPrivateKey: _, publicJwk: _jwk, inForce: _now, ...key }) => key,
      ),
    /** The status of each known key, and its beginning. */
    ages: () =>
      keys.map(({ status, createdAt, activatedAt, retiredAt }) => ({
        status,
        since: { next: createdAt, active: activatedAt, retired: retiredAt }[status] ?? createdAt,
      })),
    refresh,
  }
}

export type SigningKeys = Awaited<ReturnType<typeof createSigningKeys>>
