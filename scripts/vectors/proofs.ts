import { createHash, createHmac } from 'node:crypto'
import { toDer } from '#verify/rules/ecdsa-signature'
import { ecKey, edKey, type Key, rsaKey } from './keys.ts'
import {
  type Expected,
  invalid,
  invalidProof,
  staleProof,
  type Theme,
  type Vector,
} from './vector.ts'
import {
  accepted,
  claimsFor,
  currentUser,
  encode,
  headerOf,
  issuedAt,
  now,
  resourceServer,
  signed,
  signingKey,
  tokenOf,
  vector,
} from './world.ts'

const holder = ecKey('holder of a token')
const thief = ecKey('thief of a token')
const token = tokenOf(currentUser, { jkt: holder.thumbprint })
const request = { method: 'POST', url: 'https://data.example.com/graphql?x=1' }
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

type Members = Record<string, unknown>

const claimsOf = (part: Members = {}, shown = token): Members => ({
  jti: 'proof_1',
  htm: 'POST',
  htu: 'https://data.example.com/graphql',
  iat: now,
  ath: hashOf(shown),
  ...part,
})
const proofHeader = (key: Key, part: Members = {}): Members => ({
  typ: 'dpop+jwt',
  alg: key.alg,
  jwk: key.jwk,
  ...part,
})
const prove = (claims: unknown = claimsOf(), header: Members = {}, key = holder) =>
  signed(key, proofHeader(key, header), claims)
const proof = prove()

const good = accepted(currentUser)
const proven = (name: string, given: string, expect: Expected, more: Partial<Vector> = {}) =>
  vector(name, { request, credential: { token, proof: given }, expect, ...more })
const withClaims = (name: string, part: Members, expect: Expected) =>
  proven(name, prove(claimsOf(part)), expect)
const withHeader = (name: string, part: Members, reason: string) =>
  proven(name, prove(claimsOf(), part), invalidProof(reason))
const withUrl = (name: string, htu: unknown, isSame: boolean) =>
  withClaims(name, { htu }, isSame ? good : invalidProof('proof_url'))
const shown = (
  name: string,
  headers: { authorization?: string | string[]; dpop?: string | string[] },
  expect: Expected,
) => vector(name, { request, credential: { headers }, expect })

/** The nonce of a data API (RFC 9449 §9), as the README describes it. */
const nonceAt = (time: number, secret = resourceServer.clientSecret) => {
  const seconds = time.toString(36)
  const mac = createHmac('sha256', secret).update(`latchkey dpop nonce ${seconds}`)
  return `${seconds}.${mac.digest('base64url')}`
}

const everyKey = [
  ecKey('holder of a token', 'ES384'),
  edKey('holder of a token'),
  rsaKey('holder of a token'),
  rsaKey('holder of a token', 'PS256'),
].map((key) => {
  const bound = tokenOf(currentUser, { jkt: key.thumbprint })
  return vector(`a proof with ${key.alg}`, {
    request,
    credential: { token: bound, proof: prove(claimsOf({}, bound), {}, key) },
    expect: good,
  })
})

const [head, payload, signature] = proof.split('.') as [string, string, string]
const numbers = Buffer.from(signature, 'base64url')
const weak = rsaKey('weak holder', 'RS256', 1024)
const future = tokenOf(currentUser, { jkt: holder.thumbprint, issuedAt: now })
const waiting = { token: future, proof: prove(claimsOf({ iat: now - 20 }, future)) }
const step = { request, credential: { token, proof }, expect: good }

/** Tokens that are bound to a key, and proofs of possession (RFC 9449). */
export const proofs = (): Theme => ({
  file: 'proofs',
  vectors: [
    proven('a token with its proof', proof, good),
    ...everyKey,
    vector('a bound token as a bearer token', {
      credential: token,
      expect: invalid('bound_to_key'),
    }),
    shown('the scheme DPoP with a proof', { authorization: `DPoP ${token}`, dpop: proof }, good),
    shown('the scheme DPoP in lower case', { authorization: `dpop ${token}`, dpop: proof }, good),
    shown(
      'the scheme Bearer for a bound token, beside a proof',
      { authorization: `Bearer ${token}`, dpop: proof },
      invalid('bound_to_key'),
    ),
    shown(
      'the scheme DPoP without a proof',
      { authorization: `DPoP ${token}` },
      invalidProof('proof_missing'),
    ),
    shown(
      'two proofs',
      { authorization: `DPoP ${token}`, dpop: [proof, proof] },
      invalidProof('proof_malformed'),
    ),
    vector('a proof for a token that is not bound', {
      request,
      credential: { token: tokenOf(currentUser), proof: prove(claimsOf({}, tokenOf(currentUser))) },
      expect: invalid('key_mismatch'),
    }),
    proven('a proof of a thief', prove(claimsOf(), {}, thief), invalid('key_mismatch')),
    proven(
      'a proof of a thief that names the key of the holder',
      prove(claimsOf(), { jwk: holder.jwk }, thief),
      invalidProof('proof_signature'),
    ),
    vector('a proof for a token with a jkt in other letters', {
      request,
      credential: (() => {
        const bound = signed(signingKey, headerOf(signingKey), {
          ...claimsFor(currentUser),
          cnf: { jkt: holder.thumbprint.toUpperCase() },
        })
        return { token: bound, proof: prove(claimsOf({}, bound)) }
      })(),
      expect: invalid('key_mismatch'),
    }),

    withClaims('another method', { htm: 'GET' }, invalidProof('proof_method')),
    withClaims('the method in lower case', { htm: 'post' }, invalidProof('proof_method')),
    withClaims('no method', { htm: undefined }, invalidProof('proof_method')),
    withUrl('another query, which is not compared', 'https://data.example.com/graphql?y=2', true),
    withUrl('a fragment, which is not compared', 'https://data.example.com/graphql#top', true),
    withUrl('the default port', 'https://data.example.com:443/graphql', true),
    withUrl('scheme and host in capital letters', 'HTTPS://DATA.EXAMPLE.COM/graphql', true),
    withUrl(
      'an unreserved letter that is percent-encoded',
      'https://data.example.com/gr%61phql',
      true,
    ),
    withUrl('another host', 'https://evil.example/graphql', false),
    withUrl('another path', 'https://data.example.com/other', false),
    withUrl('the path in capital letters', 'https://data.example.com/GRAPHQL', false),
    withUrl('a slash at the end of the path', 'https://data.example.com/graphql/', false),
    withUrl('another port', 'https://data.example.com:8443/graphql', false),
    withUrl('plain HTTP', 'http://data.example.com/graphql', false),
    withUrl('a user in the URL', 'https://data.example.com@evil.example/graphql', false),
    withUrl('a relative URL', '/graphql', false),
    withUrl('no URL', undefined, false),
    withUrl('a list of URLs', ['https://data.example.com/graphql'], false),
    withClaims('no hash of the token', { ath: undefined }, invalidProof('proof_token')),
    withClaims('the hash of another token', { ath: hashOf('other') }, invalidProof('proof_token')),
    withClaims(
      'the hash of the token with padding',
      { ath: `${hashOf(token)}=` },
      invalidProof('proof_token'),
    ),
    withClaims('no jti in the proof', { jti: undefined }, invalidProof('proof_malformed')),
    withClaims('an empty jti in the proof', { jti: '' }, invalidProof('proof_malformed')),
    withClaims('a jti of 256 characters', { jti: 'j'.repeat(256) }, good),
    withClaims(
      'a jti of 257 characters',
      { jti: 'j'.repeat(257) },
      invalidProof('proof_malformed'),
    ),
    withClaims('a proof with iat as text', { iat: String(now) }, invalidProof('proof_malformed')),
    withClaims('a proof without iat', { iat: undefined }, invalidProof('proof_malformed')),
    withClaims('a proof with a fraction in iat', { iat: now - 0.5 }, good),
    withClaims('a proof of 60 seconds ago', { iat: now - 60 }, good),
    withClaims('a proof of 61 seconds ago', { iat: now - 61 }, staleProof),
    withClaims('a proof of 60 seconds ahead', { iat: now + 60 }, good),
    withClaims('a proof of 61 seconds ahead', { iat: now + 61 }, staleProof),
    withClaims('a proof of a wrong clock with a nonce', { iat: 5, nonce: nonceAt(now - 60) }, good),
    withClaims('a nonce of 61 seconds ago', { nonce: nonceAt(now - 61) }, staleProof),
    withClaims(
      'a nonce of another data API',
      { nonce: nonceAt(now, 'another secret') },
      staleProof,
    ),
    withClaims('a nonce that is not ours', { nonce: 'abc' }, staleProof),
    withClaims('a nonce that is no text', { nonce: 1 }, invalidProof('proof_malformed')),

    withHeader('another type of proof', { typ: 'JWT' }, 'proof_malformed'),
    withHeader('crit in the proof', { crit: ['exp'] }, 'proof_malformed'),
    withHeader('alg none in the proof', { alg: 'none' }, 'proof_algorithm'),
    withHeader('HS256 in the proof', { alg: 'HS256' }, 'proof_algorithm'),
    withHeader('ES384 in the proof of a P-256 key', { alg: 'ES384' }, 'proof_key'),
    withHeader('no key in the proof', { jwk: undefined }, 'proof_key'),
    withHeader('a private key in the proof', { jwk: { ...holder.jwk, d: 'AAAA' } }, 'proof_key'),
    withHeader('a shared secret in the proof', { jwk: { kty: 'oct', k: 'AAAA' } }, 'proof_key'),
    withHeader(
      'a point that is not on the curve in the proof',
      { jwk: { ...holder.jwk, y: holder.jwk.x } },
      'proof_key',
    ),
    proven(
      'an RSA key of 1024 bits in the proof',
      prove(claimsOf(), {}, weak),
      invalidProof('proof_key'),
    ),
    proven(
      'a proof in DER',
      `${head}.${payload}.${Buffer.from(toDer(numbers)).toString('base64url')}`,
      invalidProof('proof_signature'),
    ),
    proven(
      'a proof with other claims under its signature',
      `${head}.${encode(claimsOf({ jti: 'proof_2' }))}.${signature}`,
      invalidProof('proof_signature'),
    ),
    proven('a proof without a signature', `${head}.${payload}.`, invalidProof('proof_signature')),
    proven('a proof with padding', `${proof}=`, invalidProof('proof_malformed')),
    proven('a proof of two parts', `${head}.${payload}`, invalidProof('proof_malformed')),
    proven('an empty proof', '', invalidProof('proof_malformed')),
    proven('a proof of 4,097 characters', 'A'.repeat(4097), invalidProof('proof_malformed')),
    proven(
      'a proof with htm twice',
      prove(JSON.stringify(claimsOf()).replace('{', '{"htm":"GET",')),
      invalidProof('proof_malformed'),
    ),
    vector('a valid proof and an expired token', {
      now: issuedAt + 3630,
      request,
      credential: { token, proof: prove(claimsOf({ iat: issuedAt + 3630 })) },
      expect: invalid('expired'),
    }),
    vector('a proof and a secret, which no key set binds', {
      request,
      credential: { token: 'lkks_secret', proof: prove(claimsOf({}, 'lkks_secret')) },
      expect: invalid('key_mismatch'),
    }),

    vector('a replayed proof', {
      earlier: [step],
      request,
      credential: { token, proof },
      expect: invalidProof('proof_replayed'),
    }),
    vector('a replayed jti and iat in a proof with another query', {
      earlier: [step],
      request,
      credential: {
        token,
        proof: prove(claimsOf({ htu: 'https://data.example.com/graphql?y=2' })),
      },
      expect: invalidProof('proof_replayed'),
    }),
    vector('a second proof', {
      earlier: [step],
      request,
      credential: { token, proof: prove(claimsOf({ jti: 'proof_2' })) },
      expect: good,
    }),
    vector('a bound token as a bearer token after a proof', {
      earlier: [step],
      credential: token,
      expect: invalid('bound_to_key'),
    }),
    vector('a proof of a thief after that of the holder', {
      earlier: [step],
      request,
      credential: { token, proof: prove(claimsOf({ jti: 'proof_2' }), {}, thief) },
      expect: invalid('key_mismatch'),
    }),
    vector('a proof of a refused token, which is not consumed', {
      earlier: [{ now: now - 40, request, credential: waiting, expect: invalid('not_yet_valid') }],
      request,
      credential: waiting,
      expect: accepted(currentUser, { expiresAt: now + 3600 }),
    }),
  ],
})
