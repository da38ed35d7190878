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

type Purpose = 'token' | 'digest' | 'seal' | 'cookie' | 'csrf'

interface MasterKey {
  /** One base62 character that says under which master key a token was made; two keys may share one. */
  id: string
  /** Tells it from every other; says nothing of the key itself. */
  name: string
  seal: Buffer
  cookie: Buffer
  csrf: Buffer
  /** For MACs; of bytes, OpenSSL 3.5 makes a key anew each time, which takes longer than the MAC itself. */
  token: KeyObject
  digest: KeyObject
}

const idCharacters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const derive = (master: Buffer): MasterKey => {
  const fingerprint = createHash('sha256').update('latchkey key id').update(master).digest()
  const derived = (purpose: Purpose) =>
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

/** The master keys: the first makes, all of them check (HKDF, RFC 5869; one derived key for each purpose). */
export interface Keyring {
  tokenKeyId: string
  /** What the keys are called where it is noted which of them was used, the current one first. */
  keyIds: readonly [string, ...string[]]
  /** HMAC-SHA256 under each token key with this id, the current one first; none for an unknown id. */
  tokenMacs(keyId: string, data: Buffer): Buffer[]
  /** Keyed digest of a machine secret, for storing. */
  digest(secret: string): Buffer
  /** Constant-time: is this the digest of the secret under any master key? */
  digestMatches(secret: string, digest: Buffer): boolean
  /** Every digest that this secret may be stored under. */
  digests(secret: string): Buffer[]
  /** AES-256-GCM; `row` binds the result to its place (AAD). */
  seal(plain: Buffer, row: string): Buffer
  /** @throws Error when the text was moved, changed or sealed under an unknown key */
  open(sealed: Buffer, row: string): Buffer
  /** Id of the key that a text was sealed under; null when it does not open. */
  sealedUnder(sealed: Buffer, row: string): string | null
  /** Keys for signing cookies, newest first. */
  cookieKeys: string[]
  csrfKey: string
}

const openWith = (key: Buffer, sealed: Buffer, row: string) => {
  // Unless told, Node takes a tag of 4 bytes for as good as one of 16 (NIST SP 800-38D §5.2.1.2).
  const options = { authTagLength: 16 }
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13), options)
  decipher.setAAD(Buffer.from(row))
  decipher.setAuthTag(sealed.subarray(13, 29))
  return Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()])
}

/**
 * @param masters 32-byte master keys, the current one first, older ones behind it
 */
export const createKeyring = (masters: readonly [Buffer, ...Buffer[]]): Keyring => {
  const keys = masters.map(derive) as [MasterKey, ...MasterKey[]]
  const [current, ...olderKeys] = keys
  // Through text, because Node 20 needs longer for a Buffer's memory than for the digest (decision 0042).
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
        'sealed under a master key that is not configured: it belongs into LATCHKEY_MASTER_KEY or LATCHKEY_PREVIOUS_MASTER_KEYS',
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
