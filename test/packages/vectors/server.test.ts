/**
 * The server's own rules give the results of the vectors that concern it: its access tokens, self-signed tokens and
 * proofs. It trusts the claims that it has signed itself, and never asks itself about revocations.
 */
import { createPublicKey, randomBytes } from 'node:crypto'
import t from 'tap'
import { keySetSecret } from '../../../scripts/vectors/self-signed-tokens.ts'
import type { Step, Vector } from '../../../scripts/vectors/vector.ts'
import { issuer, jwks, signingKey } from '../../../scripts/vectors/world.ts'
import { readCompactJws } from '../../../src/core/crypto/compact-jws.ts'
import { createKeyring } from '../../../src/core/crypto/keyring.ts'
import {
  isSelfSigned,
  isSignedWith,
  readSelfSigned,
} from '../../../src/core/introspection/self-signed.ts'
import { OAuthError } from '../../../src/core/language/errors.ts'
import { createDpop } from '../../../src/core/tokens/dpop.ts'
import { createIssuedTokens } from '../../../src/core/tokens/issued-tokens.ts'
import { vectorsIn } from './vectors.ts'

const publicKey = createPublicKey({ key: signingKey.jwk, format: 'jwk' })
const signingKeys = {
  publicKey: (kid: string) => (kid === signingKey.thumbprint ? publicKey : null),
}

/** @returns null when the server refuses the token */
const claimsOf = (text: string, now: number) => {
  const issuedTokens = createIssuedTokens({ signingKeys, issuer, now: () => now * 1000 })
  issuedTokens.read(text) // What was verified once is remembered, and has the same verdict.
  const issued = issuedTokens.read(text)
  return issued?.refused === null ? issued.claims : null
}

const all = (...files: string[]) => files.flatMap((file) => vectorsIn(`${file}.json`))
const isOfServer = ({ jwks: keys }: Vector) => JSON.stringify(keys) === JSON.stringify(jwks)
const tokens = (vectors: Vector[]) =>
  vectors.flatMap((vector) =>
    typeof vector.credential === 'string' ? [{ ...vector, token: vector.credential }] : [],
  )

/** The server writes one form of its header, and grants its own clock no tolerance. */
const onlyElsewhere = [
  'the long form of the type',
  'the type in capital letters',
  'an unknown header parameter',
  'at exp, within the tolerance',
  '29 seconds after exp',
  'a token that was valid before, one second before its tolerated end',
]

t.test('the server reads the same of the access tokens that are valid', async (t) => {
  const valid = tokens(
    all('current-tokens', 'delegation', 'legacy-tokens', 'clocks', 'hostile-tokens'),
  )
  let count = 0
  for (const { name, token, now, expect, feed } of valid) {
    if (!expect.ok || feed !== undefined) continue
    count++
    const claims = claimsOf(token, now)
    if (onlyElsewhere.includes(name)) {
      t.equal(claims, null, name)
      continue
    }
    const { access } = expect
    t.equal(claims?.organization_id, access.organizationId, name)
    t.equal(claims?.client_id, access.clientId, name)
    t.equal(claims?.kind, access.kind, name)
    t.equal(claims?.exp, access.expiresAt, name)
    t.same(claims?.permissions, access.permissions, name)
    t.same(claims?.workspace_ids ?? null, access.workspaceIds, name)
  }
  t.ok(count > 20)
})

/** Faults that do not depend on what the server has signed. */
const judged = [
  'too_long',
  'malformed',
  'header',
  'algorithm',
  'key_unknown',
  'signature',
  'issuer',
  'expired',
]
/** The server has not signed such a text: it looks for repeated names in the claims alone. */
const trusted = ['a member of an unknown claim twice']

t.test('the server refuses the hostile access tokens', async (t) => {
  const hostile = tokens(all('current-tokens', 'clocks', 'hostile-tokens').filter(isOfServer))
  let count = 0
  for (const { name, token, now, expect } of hostile) {
    if (expect.ok || !judged.includes(expect.reason) || trusted.includes(name)) continue
    count++
    t.equal(claimsOf(token, now), null, name)
  }
  t.ok(count > 100)
})

t.test('the server judges self-signed tokens in the same way', async (t) => {
  const own = (text: string, now: number) => {
    const token = readCompactJws(text)
    if (!token || !isSelfSigned(token)) return false
    const { claims, refused } = readSelfSigned(token, now)
    const isKnown = claims.issuer === 'kcl_north' && refused === null
    return isKnown && isSignedWith(token, Buffer.from(keySetSecret))
  }
  let count = 0
  for (const { name, token, now, expect, feed, request } of tokens(all('self-signed-tokens'))) {
    if (token.startsWith('lkks_') || feed !== undefined || request !== undefined) continue
    count++
    t.equal(own(token, now), expect.ok, name)
  }
  t.ok(count > 20)
})

t.test('the server judges proofs in the same way', async (t) => {
  const judge = ({ credential, request, now }: Step & { now: number }): string => {
    if (credential === null || typeof credential === 'string' || !('proof' in credential)) return ''
    const dpop = createDpop({
      place: { base: 'https://data.example.com', prefix: '', aliases: [] },
      records: { insert: () => Promise.reject(new Error('no proof is consumed here')) },
      keyring: createKeyring([randomBytes(32)]),
      now: () => now * 1000,
    })
    try {
      const path = '/graphql'
      const method = request?.method ?? ''
      dpop.read(credential.proof, { method, path, accessToken: credential.token })
      return 'good'
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      return error.code
    }
  }
  /** Nonces belong to one server, and a replay needs a store. */
  const isOwn = (name: string) => !/nonce|replayed/.test(name)
  let count = 0
  for (const vector of all('proofs')) {
    const result = judge(vector)
    if (result === '' || !isOwn(vector.name)) continue
    count++
    const { expect } = vector
    // The token's own faults are found later.
    const expected = expect.ok || expect.code === 'token-invalid' ? 'good' : expect.code
    t.equal(result, expected, vector.name)
  }
  t.ok(count > 50)
})
