import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

interface MasterKey {
  /** One base62 character in each token that selects the master key; two keys may share it. */
  id: string
  /** Identifies the key without revealing it. */
  name: string
  seal: Buffer
  cookie: Buffer
  csrf: Buffer
  /** A key object for MACs. OpenSSL 3.5 converts raw bytes on each call, which takes longer than the MAC itself. */
  token: KeyObject
  digest: KeyObject
}

const idCharacters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const derive = (master: Buffer): MasterKey => {
  const fingerprint = createHash('sha256').update('latchkey key id').update(master).digest()
  const derived = (purpose: 'token' | 'digest' | 'seal' | 'cookie' | 'csrf') =>
    Buffer.from(hkdfSync('sha256', master, 'latchkey', purpose, 32))
  return {
    id: idCharacters[(fingerprint[0] as number) % 62] as string,
    name: fingerprint.toString('hex').slice(0, 12),
    seal: derived('seal'),
    cookie: derived('cookie'),
    csrf: derived('csrf'),
    token: createSecretKey(derived('token')),
    digest: createSecretKey(derived('digest')),
  }
}

/**
 * The master keys. The current one signs and seals; all of them verify and open. Each purpose has its own derived key
 * (HKDF, RFC 5869).
 */
export interface Keyring {
  tokenKeyId: string
  /** Names of the keys for records of which key was used, the current one first. */
  keyIds: readonly [string, ...string[]]
  /** HMAC-SHA256 under each token key with this id, the current one first; empty for an unknown id. */
  tokenMacs(keyId: string, data: Buffer): Buffer[]
  /** Keyed digest of a machine secret, to be stored. */
  digest(secret: string): Buffer
  /** Is this the digest of the secret under any master key? Takes constant time. */
  digestMatches(secret: string, digest: Buffer): boolean
  /** The digests of the secret under all master keys. */
  digests(secret: string): Buffer[]
  /** AES-256-GCM; `row` binds the result to its place in the store (additional authenticated data). */
  seal(plain: Buffer, row: string): Buffer
  /** @throws Error when the text was moved, changed or sealed under an unknown key */
  open(sealed: Buffer, row: string): Buffer
  /** Id of the key that sealed the text; null when no key opens it. */
  sealedUnder(sealed: Buffer, row: string): string | null
  /** Keys for signing cookies, newest first. */
  cookieKeys: string[]
  csrfKey: string
}

const openWith = (key: Buffer, sealed: Buffer, row: string) => {
  // By default Node accepts a tag of 4 bytes like one of 16 (NIST SP 800-38D §5.2.1.2).
  const options = { authTagLength: 16 }
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13), options)
  decipher.setAAD(Buffer.from(row))
  decipher.setAuthTag(sealed.subarray(13, 29))
  return Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()])
}

/** @param masters 32-byte master keys, the current one first, then older ones */
export const createKeyring = (masters: readonly [Buffer, ...Buffer[]]): Keyring => {
  const keys = masters.map(derive) as [MasterKey, ...MasterKey[]]
  const [current, ...olderKeys] = keys
  // The digest passes through a string: allocating a Buffer takes Node 20 longer than the digest (decision 0042).
  const hmac = (key: KeyObject, data: string | Buffer) =>
    Buffer.from(createHmac('sha256', key).update(data).digest('binary'), 'binary')

  return {
    tokenKeyId: current.id,
    keyIds: [current.name, ...olderKeys.map((key) => key.name)],
    tokenMacs: (keyId, data) =>
      keys.filter((key) => key.id === keyId).map((key) => hmac(key.token, data)),
    digest: (secret) => hmac(current.digest, secret),
    digests: (secret) => keys.map((key) => hmac(key.digest, secret)),
    digestMatches: (secret, digest) =>
      keys.some((key) => {
        const computed = hmac(key.digest, secret)
        return computed.length === digest.length && timingSafeEqual(computed, digest)
      }),
    seal: (plain, row) => {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', current.seal, iv)
      cipher.setAAD(Buffer.from(row))
      const body = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([Buffer.from(current.id), iv, cipher.getAuthTag(), body])
    },
    open: (sealed, row) => {
      let fault: unknown = new Error(
        'sealed under a master key that is not configured: add it to LATCHKEY_MASTER_KEY or LATCHKEY_PREVIOUS_MASTER_KEYS',
      )
      for (const key of keys.filter((one) => one.id.charCodeAt(0) === sealed[0])) {
        try {
          return openWith(key.seal, sealed, row)
        } catch (cause) {
          fault = cause
        }
      }
      throw fault
    },
    sealedUnder: (sealed, row) => {
      const opens = (key: MasterKey) => {
        try {
          openWith(key.seal, sealed, row)
          return true
        } catch {
          return false
        }
      }
      return keys.find(opens)?.name ?? null
    },
    cookieKeys: keys.map((key) => key.cookie.toString('base64url')),
    csrfKey: current.csrf.toString('base64url'),
  }
}
