import { ecKey, edKey, type Key, rsaKey } from './keys.ts'
import { type Expected, invalid, type Theme, unavailable } from './vector.ts'
import {
  accepted,
  claimsFor,
  currentUser,
  headerOf,
  published,
  signed,
  signingKey,
  vector,
} from './world.ts'

const next = ecKey('next signing key')
const rsa = rsaKey('signing key')
const ed = edKey('signing key')
const p384 = ecKey('signing key', 'ES384')
const own = published(signingKey)

const by = (key: Key) => signed(key, headerOf(key), claimsFor(currentUser))
const good = accepted(currentUser)
const unknown = invalid('key_unknown')

const withKeys = (name: string, keys: unknown[], key: Key, expect: Expected) =>
  vector(name, { jwks: { keys }, credential: by(key), expect })

/** The own key with changes, beside a usable one. */
const unusable = (name: string, changes: Record<string, unknown>, key = signingKey) =>
  withKeys(name, [{ ...published(key), ...changes }, published(next)], key, unknown)

/** Keys of the server during a rotation, and key sets that are hostile or broken. */
export const signingKeys = (): Theme => ({
  file: 'signing-keys',
  vectors: [
    withKeys('the active key beside the next one', [published(next), own], signingKey, good),
    withKeys('the next key, which is published already', [own, published(next)], next, good),
    withKeys('a withdrawn key', [published(next)], signingKey, unknown),
    withKeys('an RS256 key', [own, published(rsa)], rsa, good),
    withKeys('an Ed25519 key', [own, published(ed)], ed, good),
    withKeys(
      'an ES384 key, which signs no access tokens',
      [own, published(p384)],
      p384,
      invalid('algorithm'),
    ),
    withKeys('a P-256 key without alg', [{ ...own, alg: undefined }], signingKey, good),
    withKeys('a key without use', [{ ...own, use: undefined }], signingKey, good),
    withKeys(
      'a key with key_ops that contain verify',
      [{ ...own, key_ops: ['verify'] }],
      signingKey,
      good,
    ),
    withKeys('a key with unknown members', [{ ...own, note: 1 }], signingKey, good),
    withKeys(
      'a repeated kid, of which the first key counts',
      [own, { ...published(next), kid: own.kid }],
      signingKey,
      good,
    ),
    withKeys(
      'a repeated kid, of which the second key does not count',
      [{ ...published(next), kid: own.kid }, own],
      signingKey,
      invalid('signature'),
    ),
    withKeys(
      'entries that are no keys beside a usable one',
      [null, 'key', 1, [], {}, own],
      signingKey,
      good,
    ),
    unusable('a key for encryption', { use: 'enc' }),
    unusable('a key with key_ops without verify', { key_ops: ['sign'] }),
    unusable('a key with key_ops as text', { key_ops: 'verify' }),
    unusable('a key with a private member', { d: 'AAAA' }),
    unusable('a P-256 key with alg RS256', { alg: 'RS256' }),
    unusable('a P-256 key with alg HS256', { alg: 'HS256' }),
    unusable('a P-256 key with alg none', { alg: 'none' }),
    unusable('a key with another curve', { crv: 'P-384' }),
    unusable('a key with another type', { kty: 'RSA' }),
    unusable('a key without x', { x: undefined }),
    unusable('a point that is not on the curve', { y: signingKey.jwk.x }),
    unusable('a key without kid', { kid: undefined }),
    unusable('a key with a number as kid', { kid: 1 }),
    unusable('an RSA key without alg', { alg: undefined }, rsa),
    unusable('an RSA key of 2040 bits', { n: rsa.jwk.n?.slice(2) }, rsa),
    unusable('an RSA key of 4104 bits', { n: `_${'A'.repeat(683)}` }, rsa),
    unusable('an RSA key with an exponent of 48 bits', { e: 'AQAAAAAB' }, rsa),
    unusable('an RSA key with an exponent as large as the modulus', { e: rsa.jwk.n }, rsa),
    withKeys(
      'a shared secret in the key set',
      [{ kty: 'oct', k: 'AAAA', kid: own.kid, alg: 'HS256' }, published(next)],
      signingKey,
      unknown,
    ),
    vector('RS256 in the header and an EdDSA key', {
      jwks: { keys: [{ ...published(ed), kid: rsa.thumbprint }, own] },
      credential: by(rsa),
      expect: invalid('algorithm'),
    }),
    ...Object.entries({
      'an empty key set': { keys: [] },
      'a key set without keys': {},
      'keys as an object': { keys: own },
      'a key set with unusable keys alone': { keys: [{ ...own, use: 'enc' }] },
      'a key set that is a list': [own],
      'a key set that is not JSON': 'hello',
      'null as key set': null,
    }).map(([name, jwks]) =>
      vector(name, { jwks, credential: by(signingKey), expect: unavailable('starting') }),
    ),
    vector('a key set with status 500', {
      status: { jwks: 500 },
      credential: by(signingKey),
      expect: unavailable('starting'),
    }),
  ],
})
