import fc from 'fast-check'
import t from 'tap'
import { createKeyring } from '../../src/core/crypto/keyring.ts'
import { holds, mutated } from '../support/property.ts'

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const keyring = createKeyring([first])
const turned = createKeyring([second, first])
const foreign = createKeyring([second])

const bytes = fc.uint8Array({ maxLength: 300 }).map((one) => Buffer.from(one))
const row = fc.string({ unit: 'binary' })

const opens = (ring: typeof keyring, sealed: Buffer, row: string) => {
  try {
    return ring.open(sealed, row)
  } catch {
    return null
  }
}

holds(
  t,
  'a sealed text opens in its row only, also after a key rotation',
  fc.property(bytes, row, row, (plain, row, another) => {
    const sealed = keyring.seal(plain, row)
    return (
      keyring.open(sealed, row).equals(plain) &&
      turned.open(sealed, row).equals(plain) &&
      opens(foreign, sealed, row) === null &&
      (Buffer.from(row).equals(Buffer.from(another)) || opens(keyring, sealed, another) === null) &&
      !sealed.equals(keyring.seal(plain, row))
    )
  }),
)

holds(
  t,
  'no changed byte opens, and each is refused',
  fc.property(bytes, row, fc.nat(), fc.integer({ min: 1, max: 255 }), (plain, row, at, change) => {
    const sealed = keyring.seal(plain, row)
    const place = at % sealed.length
    sealed[place] = (sealed[place] as number) ^ change
    return opens(keyring, sealed, row) === null && opens(turned, sealed, row) === null
  }),
  1500,
)

holds(
  t,
  'no arbitrary bytes open, nor a part of a sealed text',
  fc.property(bytes, bytes, row, fc.nat(), (some, plain, row, at) => {
    const sealed = keyring.seal(plain, row)
    const part = sealed.subarray(0, at % sealed.length)
    return opens(keyring, some, row) === null && opens(keyring, part, row) === null
  }),
)

holds(
  t,
  'a digest matches its own secret only, and reveals nothing of it',
  fc.property(
    fc.string({ minLength: 1 }).chain((one) => fc.tuple(fc.constant(one), mutated(one))),
    ([secret, near]) => {
      const digest = keyring.digest(secret)
      return (
        digest.length === 32 &&
        keyring.digestMatches(secret, digest) &&
        turned.digestMatches(secret, digest) &&
        !foreign.digestMatches(secret, digest) &&
        !keyring.digestMatches(near, digest) &&
        !keyring.digestMatches(secret, digest.subarray(1)) &&
        !keyring.digestMatches(digest.toString('base64url'), digest)
      )
    },
  ),
)
