import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { Keyring } from '../crypto/keyring.ts'

/** published ahead of use → signs → published until the last token it signed has expired */
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
  /** May lie ahead: the one before it signs until then. */
  activatedAt: Date | null
  retiredAt: Date | null
  /** Its time to sign has come, by the store's date. */
  inForce: boolean
}

export interface RotationTimes {
  /** Seconds that a key has to be published before it signs. */
  publishedAhead: number
  /** Seconds that one is published after it was retired. */
  keepRetired: number
}

export interface SigningKeyStore {
  /**
   * In the order in which they were made.
   * @param keepRetired seconds after which a retired one is left out
   */
  list(keepRetired: number): Promise<StoredSigningKey[]>
  /** Puts in a first active and next key if there is none; the loser of a race changes nothing. */
  initialise(active: NewSigningKey, next: NewSigningKey): Promise<void>
  /** active → retired, next → active, `next` → next; drops those that were kept long enough. @returns the active key */
  rotate(
    next: NewSigningKey,
    times: RotationTimes,
    audit: AuditEvent,
  ): Promise<{ kid: string; activatedAt: Date }>
  /** Drops all others, whatever they have signed. @returns since when the new one is active */
  replace(active: NewSigningKey, next: NewSigningKey, audit: AuditEvent): Promise<Date>
}

export interface ActiveKey {
  kid: string
  alg: 'ES256'
  privateKey: KeyObject
}

export interface SigningKeys {
  /** The key that signs now. */
  active(): ActiveKey
  /** The public key of a published kid; null for any other. */
  publicKey(kid: string): KeyObject | null
  /** RFC 7517 key set: next, active and retired keys, public parts only. */
  jwks(): { keys: Record<string, unknown>[] }
  /** @returns the key that signs from then on: now, or when it has been published for long enough */
  rotate(cause: Cause): Promise<{ kid: string; activatedAt: Date }>
  /**
   * For keys that are known to somebody else: drops all of them and makes new ones.
   * @returns the key that signs from now on, though nobody has read it yet: what the others signed ends anyway
   */
  replace(cause: Cause): Promise<{ kid: string; activatedAt: Date }>
  list(): Promise<Omit<StoredSigningKey, 'sealedPrivateKey' | 'publicJwk' | 'inForce'>[]>
  /** Since when each known key has its status. */
  ages(): { status: SigningKeyStatus; since: Date }[]
  /** Reads the keys anew; called at intervals, so that a rotation elsewhere is seen here. */
  refresh(): Promise<void>
}

// Longest access token life plus the time in which other instances notice a rotation.
const keepRetired = 2 * 7200

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
 * Loads the signing keys, making the first ones when there are none.
 * @param deps.publishedAhead seconds for which everybody can have read a key before it signs: longer than the other
 *   instances need to notice it, and longer than verifiers wait between two reads of the key set
 */
export const createSigningKeys = async (deps: {
  store: SigningKeyStore
  keyring: Keyring
  publishedAhead: number
}): Promise<SigningKeys> => {
  const { store, keyring, publishedAhead } = deps
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
