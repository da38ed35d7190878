import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { checksumOf } from '../../src/core/crypto/checksum.ts'
import { readCompactJws } from '../../src/core/crypto/compact-jws.ts'
import { createKeyring } from '../../src/core/crypto/keyring.ts'
import { decodeGrantToken, encodeGrantToken } from '../../src/core/grants/token-format.ts'
import {
  isSelfSigned,
  isSignedWith,
  readSelfSigned,
} from '../../src/core/introspection/self-signed.ts'
import { holds, mutated, textOf } from '../support/property.ts'
import { selfSign } from '../support/resource-server.ts'

const keyring = createKeyring([Buffer.alloc(32, 1)])
const foreign = createKeyring([Buffer.alloc(32, 2)])
const turned = createKeyring([Buffer.alloc(32, 2), Buffer.alloc(32, 1)])

const grantToken = fc.record({
  familyId: fc.uuid(),
  generation: fc.oneof(fc.constantFrom(0, 1, 2, 0xffffffff), fc.nat(0xffffffff)),
})
const typeOf = ({ generation }: { generation: number }) =>
  generation === 0 ? 'code' : 'refresh_token'

holds(
  t,
  'a grant token is read as written, and as nothing else',
  fc.property(grantToken, (token) => {
    const text = encodeGrantToken(keyring, token)
    const [type, other] =
      typeOf(token) === 'code'
        ? (['code', 'refresh_token'] as const)
        : (['refresh_token', 'code'] as const)
    const read = decodeGrantToken(keyring, type, text)
    const later = decodeGrantToken(turned, type, text)
    return (
      encodeGrantToken(keyring, token) === text &&
      [read, later].every((one) => one?.familyId === token.familyId) &&
      [read, later].every((one) => one?.generation === token.generation) &&
      decodeGrantToken(keyring, other, text) === null &&
      decodeGrantToken(foreign, type, text) === null
    )
  }),
)

/** Corrects the checksum, as a forger would. */
const withChecksum = (text: string) => {
  const body = text.slice(0, -6)
  return body + checksumOf(body)
}

holds(
  t,
  'no changed grant token is accepted, even with a corrected checksum',
  fc.property(
    grantToken.chain((token) =>
      mutated(encodeGrantToken(keyring, token)).map((text) => ({ token, text })),
    ),
    ({ token, text }) => {
      const forged = withChecksum(text)
      const original = encodeGrantToken(keyring, token)
      return (['code', 'refresh_token'] as const).every(
        (type) =>
          decodeGrantToken(keyring, type, text) === null &&
          (forged === original || decodeGrantToken(keyring, type, forged) === null),
      )
    },
  ),
  3000,
)

const tokenLike = textOf(
  'lkac_',
  'lkrt_',
  'lkks_',
  '.',
  'e30',
  'eyJ',
  '0'.repeat(60),
  '=',
  '{',
  '"',
)

holds(
  t,
  'no text makes a parser throw, and no random text is a token',
  fc.property(tokenLike, (text) => {
    const jws = readCompactJws(text)
    return (
      decodeGrantToken(keyring, 'code', text) === null &&
      decodeGrantToken(keyring, 'refresh_token', text) === null &&
      (jws === null || !isSignedWith(jws, Buffer.from('secret')))
    )
  }),
  3000,
)

const secret = 'lkks_0123456789abcdefghijklmnopqrstuvwxyz'
const now = 1_800_000_000
const jsonObject = fc.dictionary(
  fc.oneof(fc.constantFrom('__proto__', 'iss', 'iat', 'constructor'), fc.string()),
  fc.jsonValue({ maxDepth: 3 }),
  { maxKeys: 6 },
)

holds(
  t,
  'a signed object is read as signed',
  fc.property(jsonObject, (claims) => {
    const read = readCompactJws(selfSign(secret, claims))
    return (
      read !== null &&
      JSON.stringify(read.claims) === JSON.stringify(claims) &&
      isSelfSigned(read) &&
      isSignedWith(read, Buffer.from(secret))
    )
  }),
)

holds(
  t,
  'no changed JWS is accepted',
  fc.property(
    fc
      .record({ iss: fc.string(), iat: fc.nat(), permissions: fc.array(fc.string()) })
      .chain((claims) => mutated(selfSign(secret, claims))),
    (text) => {
      const read = readCompactJws(text)
      return read === null || !isSelfSigned(read) || !isSignedWith(read, Buffer.from(secret))
    },
  ),
  3000,
)

holds(
  t,
  'a repeated member is refused, however it is spelled',
  fc.property(
    fc.constantFrom('iss', 'iat', 'permissions', '__proto__', '{', ':', '\\"'),
    fc.boolean(),
    fc.jsonValue({ maxDepth: 1 }),
    fc.jsonValue({ maxDepth: 1 }),
    (name, escaped, first, second) => {
      const plain = JSON.stringify(name)
      const respelt = `"${[...name].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
      const json = `{${plain}:${JSON.stringify(first)},${escaped ? respelt : plain}:${JSON.stringify(second)}}`
      return readCompactJws(selfSign(secret, json)) === null
    },
  ),
)

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(now, now + 31, now + 0.5, now - 31, 1e300, -1, 1.5, '1', ''),
)
const claimsOf = fc.record(
  {
    iss: fc.oneof(fc.string(), odd),
    iat: fc.oneof({ weight: 3, arbitrary: fc.constant(now) }, odd),
    exp: odd,
    nbf: odd,
    aud: odd,
    workspace_ids: fc.oneof(fc.array(fc.string()), odd),
    permissions: fc.oneof(fc.array(fc.string()), odd),
  },
  { requiredKeys: [] },
)

holds(
  t,
  'any claims are refused or well-formed',
  fc.property(claimsOf, (claims) => {
    const token = { header: {}, claims, signingInput: '', signature: Buffer.alloc(0) }
    const { claims: read, refused } = readSelfSigned(token, now)
    if (refused !== null) return /^[a-z_]+$/.test(refused)
    const texts = (list: unknown) =>
      Array.isArray(list) && list.every((one) => typeof one === 'string')
    return (
      typeof read.issuer === 'string' &&
      read.issuer !== '' &&
      Number.isSafeInteger(read.issuedAt) &&
      Number(read.issuedAt) <= now + 60 &&
      (read.expiresAt === null || read.expiresAt > now - 60) &&
      (read.expiresAt === null) === (claims.exp === undefined) &&
      (read.workspaceIds === null) === (claims.workspace_ids === undefined) &&
      (read.workspaceIds === null || texts(read.workspaceIds)) &&
      (read.audiences === null) === (claims.aud === undefined) &&
      (read.audiences === null || texts(read.audiences)) &&
      texts(read.permissions) &&
      (claims.permissions !== undefined || read.permissions.length === 0)
    )
  }),
  3000,
)

// HMAC pads a short key with zeros (RFC 2104 §2), so a trailing NUL makes no other key; a secret
// contains none.
const nearSecret = fc
  .string({ minLength: 32 })
  .chain((own) => fc.tuple(fc.constant(own), mutated(own, 'aZ09_-é ')))

holds(
  t,
  'the key is all bytes of the secret',
  fc.property(nearSecret, ([own, near]) => {
    const read = readCompactJws(selfSign(own, { iss: 'x' }))
    if (!read) return false
    const decoded = Buffer.from(own, 'base64')
    const isKey = (key: Buffer) =>
      createHmac('sha256', key).update(read.signingInput).digest().equals(read.signature)
    return (
      isSignedWith(read, Buffer.from(own)) &&
      !isSignedWith(read, Buffer.from(near)) &&
      isKey(Buffer.from(own)) &&
      !isSignedWith(read, decoded)
    )
  }),
)
