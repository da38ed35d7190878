import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { Keyring } from '../crypto/keyring.ts'

/**
 * `next`: published before its use; `active`: signs; `retired`: published until the last token that it signed has
 * expired
 */
export type SigningKeyStatus = 'next' | 'active' | 'retired'

export interface NewSigningKey {
  kid: string
  alg: 'ES256'
  publicJwk: Record<string, unknown>
  sealedPrivateKey: Buffer
}

export interface StoredSigningKey extends NewSigningKey {
  status: SigningKeyStatus
  createdAt: Date
  /** May be in the future: the previous key signs until then. */
  activatedAt: Date | null
  retiredAt: Date | null
  /** Its activation time has passed, by the store's clock. */
  inForce: boolean
}

export interface RotationTimes {
  /** Seconds for which a key must be published before it signs. */
  publishedAhead: number
  /** Seconds for which a retired key stays published. */
  keepRetired: number
}

export interface SigningKeyStore {
  /** Oldest first. @param keepRetired seconds after which a retired key is left out */
  list(keepRetired: number): Promise<StoredSigningKey[]>
  /** Stores a first active and next key if there is none; the loser of a race changes nothing. */
  initialise(active: NewSigningKey, next: NewSigningKey): Promise<void>
  /**
   * Makes the active key retired, the next key active and `next` next. Removes retired keys after their time.
   * @returns the active key
   */
  rotate(
    next: NewSigningKey,
    times: RotationTimes,
    audit: AuditEvent,
  ): Promise<{ kid: string; activatedAt: Date }>
  /** Removes all other keys, whatever they have signed. @returns the activation time of the new key */
  replace(active: NewSigningKey, next: NewSigningKey, audit: AuditEvent): Promise<Date>
}

export interface ActiveKey {
  kid: string
  alg: 'ES256'
  privateKey: KeyObject
}

export interface SigningKeys {
  /** The key that signs at present. */
  active(): ActiveKey
  /** The public key of a published kid; null for any other. */
  publicKey(kid: string): KeyObject | null
  /** RFC 7517 key set: public parts of the next, active and retired keys. */
  jwks(): { keys: Record<string, unknown>[] }
  /** @returns the key that signs after the rotation: now, or once it has been published for long enough */
  rotate(cause: Cause): Promise<{ kid: string; activatedAt: Date }>
  /**
   * Replaces all keys, when an attacker may know them.
   * @returns the key that signs from now on. Verifiers have not read it yet: tokens of the old keys are invalid
   * anyway
   */
  replace(cause: Cause): Promise<{ kid: string; activatedAt: Date }>
  list(): Promise<Omit<StoredSigningKey, 'sealedPrivateKey' | 'publicJwk' | 'inForce'>[]>
  /** The status of each known key, and its beginning. */
  ages(): { status: SigningKeyStatus; since: Date }[]
  /** Reads the keys again. Called at intervals, so that this instance sees rotations on others. */
  refresh(): Promise<void>
}

const rowOf = (kid: string) => `signing_keys:${kid}`

const generate = (keyring: Keyring): NewSigningKey => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' })
  // RFC 7638: the thumbprint is the hash of the required members in this order.
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
  return {
    kid,
    alg: 'ES256',
    publicJwk: { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' },
    sealedPrivateKey: keyring.seal(privateKey.export({ type: 'pkcs8', format: 'der' }), rowOf(kid)),
  }
}

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
}): Promise<SigningKeys> => {
  const { store, keyring, publishedAhead, longestLifetime } = deps
  // Twice, because other instances sign with the retired key until they notice the rotation.
  const keepRetired = 2 * longestLifetime
  const opened = new Map<string, KeyObject>()
  let published = new Map<string, KeyObject>()
  let keys: StoredSigningKey[] = []
  let active: ActiveKey | undefined

  const open = (key: StoredSigningKey) => {
    const known = opened.get(key.kid)
    if (known) return known
    const der = keyring.open(key.sealedPrivateKey, rowOf(key.kid))
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    opened.set(key.kid, privateKey)
    return privateKey
  }

  const refresh = async () => {
    const read = await store.list(keepRetired)
    const current =
      read.findLast((key) => key.inForce) ?? read.find((key) => key.status === 'active')
    if (!current) throw new Error('there is no active signing key')
    published = new Map(
      read.map(({ kid, publicJwk }) => [
        kid,
        published.get(kid) ?? createPublicKey({ key: publicJwk, format: 'jwk' }),
      ]),
    )
    active = { kid: current.kid, alg: current.alg, privateKey: open(current) }
    keys = read
  }

  if ((await store.list(keepRetired)).length === 0) {
    await store.initialise(generate(keyring), generate(keyring))
  }
  await refresh()

  return {
    active: () => active as ActiveKey,
    publicKey: (kid) => published.get(kid) ?? null,
    jwks: () => ({ keys: keys.map((key) => key.publicJwk) }),
    rotate: async (cause) => {
      const next = generate(keyring)
      const audit = auditEvent(cause, 'signing_key.rotated', { detail: { next_kid: next.kid } })
      const active = await store.rotate(next, { publishedAhead, keepRetired }, audit)
      await refresh()
      return active
    },
    replace: async (cause) => {
      const [active, next] = [generate(keyring), generate(keyring)]
      const detail = { next_kid: next.kid, withdrawn: true }
      const audit = auditEvent(cause, 'signing_key.rotated', { detail })
      const activatedAt = await store.replace(active, next, audit)
      await refresh()
      return { kid: active.kid, activatedAt }
    },
    list: async () =>
      (await store.list(keepRetired)).map(
        ({ kid, alg, status, createdAt, activatedAt, retiredAt }) => ({
          kid,
          alg,
          status,
          createdAt,
          activatedAt,
          retiredAt,
        }),
      ),
    ages: () =>
      keys.map(({ status, createdAt, activatedAt, retiredAt }) => ({
        status,
        since: { next: createdAt, active: activatedAt, retired: retiredAt }[status] ?? createdAt,
      })),
    refresh,
  }
}
