import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import type { Keyring } from '../domain/keyring.ts'
import { type AuditEvent, auditEvent, type Origin } from './audit.ts'

/** published ahead of use → signs → published until the last token it signed has expired */
export type SigningKeyStatus = 'next' | 'active' | 'retired'

export interface StoredSigningKey {
  kid: string
  alg: 'ES256'
  publicJwk: Record<string, unknown>
  sealedPrivateKey: Buffer
  status: SigningKeyStatus
  createdAt: Date
  activatedAt: Date | null
  retiredAt: Date | null
}

export interface SigningKeyStore {
  list(): Promise<StoredSigningKey[]>
  /** Puts in a first active and next key if there is none; the loser of a race changes nothing. */
  initialise(active: StoredSigningKey, next: StoredSigningKey): Promise<void>
  /** active → retired, next → active, `next` → next; drops keys retired longer than `keepSeconds`. @returns kid of the active key */
  rotate(next: StoredSigningKey, keepSeconds: number, audit: AuditEvent): Promise<string>
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
  rotate(origin: Origin): Promise<{ kid: string }>
  list(): Promise<Omit<StoredSigningKey, 'sealedPrivateKey' | 'publicJwk'>[]>
  /** Since when each known key has its status. */
  ages(): { status: SigningKeyStatus; since: Date }[]
  /** Reads the keys anew; called at intervals, so that a rotation elsewhere is seen here. */
  refresh(): Promise<void>
}

// Longest access token life plus the time in which other instances notice a rotation.
const keepRetired = 2 * 7200

const rowOf = (kid: string) => `signing_keys:${kid}`

const generate = (keyring: Keyring, status: SigningKeyStatus, now: Date): StoredSigningKey => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' })
  // RFC 7638: the thumbprint is the hash of the required members in this order.
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
  return {
    kid,
    alg: 'ES256',
    publicJwk: { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' },
    sealedPrivateKey: keyring.seal(privateKey.export({ type: 'pkcs8', format: 'der' }), rowOf(kid)),
    status,
    createdAt: now,
    activatedAt: status === 'active' ? now : null,
    retiredAt: null,
  }
}

/** Loads the signing keys, making the first ones when there are none. */
export const createSigningKeys = async (deps: {
  store: SigningKeyStore
  keyring: Keyring
}): Promise<SigningKeys> => {
  const { store, keyring } = deps
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
    const read = await store.list()
    const current = read.find((key) => key.status === 'active')
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

  const now = new Date()
  if ((await store.list()).length === 0) {
    await store.initialise(generate(keyring, 'active', now), generate(keyring, 'next', now))
  }
  await refresh()

  return {
    active: () => active as ActiveKey,
    publicKey: (kid) => published.get(kid) ?? null,
    jwks: () => ({ keys: keys.map((key) => key.publicJwk) }),
    rotate: async (origin) => {
      const next = generate(keyring, 'next', new Date())
      const audit = auditEvent(origin, 'signing_key.rotated', { detail: { next_kid: next.kid } })
      const kid = await store.rotate(next, keepRetired, audit)
      await refresh()
      return { kid }
    },
    list: async () =>
      (await store.list()).map(({ kid, alg, status, createdAt, activatedAt, retiredAt }) => ({
        kid,
        alg,
        status,
        createdAt,
        activatedAt,
        retiredAt,
      })),
    ages: () =>
      keys.map(({ status, createdAt, activatedAt, retiredAt }) => ({
        status,
        since: { next: createdAt, active: activatedAt, retired: retiredAt }[status] ?? createdAt,
      })),
    refresh,
  }
}
