import { exportJWK, generateKeyPair, type JWK } from 'jose'
import t from 'tap'
import {
  isFresh,
  isThumbprint,
  normalUrl,
  proofAlgorithms,
  readProofClaims,
  readProofHeader,
} from '../../../../packages/verify/src/rules/dpop-proof.ts'
import { createHolder } from '../../../support/dpop.ts'

const keyOf = async (alg: string, bits = 2048): Promise<JWK> =>
  exportJWK((await generateKeyPair(alg, { extractable: true, modulusLength: bits })).publicKey)

t.test('a header needs a public key for its algorithm (RFC 9449 §4.2)', async (t) => {
  for (const alg of proofAlgorithms) {
    const jwk = await keyOf(alg)
    const more = { ...jwk, kid: 'k', use: 'sig', alg: 'ignored' }
    const read = readProofHeader({ typ: 'dpop+jwt', alg, jwk: more })
    t.same(read, { algorithm: alg, jwk, thumbprinted: JSON.stringify(sorted(jwk)) }, alg)
  }
  t.match(readProofHeader({ typ: 'dpop+jwt', alg: 'PS256', jwk: await keyOf('PS256', 4096) }), {
    algorithm: 'PS256',
  })
})

const sorted = (jwk: JWK) =>
  Object.fromEntries(Object.entries(jwk).sort(([one], [other]) => (one < other ? -1 : 1)))

t.test('rejects any other header', async (t) => {
  const { jwk } = await createHolder()
  const [ec384, rsa, okp] = [await keyOf('ES384'), await keyOf('RS256'), await keyOf('EdDSA')]
  const right = { typ: 'dpop+jwt', alg: 'ES256', jwk }
  t.match(readProofHeader(right), { algorithm: 'ES256' })
  const first = (rsa.n as string).slice(1)
  const cases: [what: string, header: Record<string, unknown>, fault: string][] = [
    ['another type', { ...right, typ: 'JWT' }, 'proof_malformed'],
    ['the type in capitals', { ...right, typ: 'DPOP+JWT' }, 'proof_malformed'],
    ['a critical member', { ...right, crit: ['b64'], b64: false }, 'proof_malformed'],
    ['none', { ...right, alg: 'none' }, 'proof_algorithm'],
    ['symmetric', { ...right, alg: 'HS256', jwk: { kty: 'oct', k: 'AA' } }, 'proof_algorithm'],
    ['SHA-1', { ...right, alg: 'RS1', jwk: rsa }, 'proof_algorithm'],
    ['a member of every object', { ...right, alg: 'toString' }, 'proof_algorithm'],
    ['no text', { ...right, alg: ['ES256'] }, 'proof_algorithm'],
    ['no key', { ...right, jwk: undefined }, 'proof_key'],
    ['a list of keys', { ...right, jwk: [jwk] }, 'proof_key'],
    ['a private key', { ...right, jwk: { ...jwk, d: 'AA' } }, 'proof_key'],
    ['part of a private key', { ...right, alg: 'RS256', jwk: { ...rsa, p: 'AA' } }, 'proof_key'],
    ['a secret beside it', { ...right, jwk: { ...jwk, k: 'AA' } }, 'proof_key'],
    ['a key for another', { ...right, alg: 'ES384' }, 'proof_key'],
    ['another curve', { ...right, jwk: ec384 }, 'proof_key'],
    ['the curve renamed', { ...right, jwk: { ...ec384, crv: 'P-256' } }, 'proof_key'],
    ['half a key', { ...right, jwk: { ...jwk, y: undefined } }, 'proof_key'],
    ['another spelling', { ...right, jwk: { ...jwk, x: `${jwk.x}=` } }, 'proof_key'],
    ['X25519', { ...right, alg: 'EdDSA', jwk: { ...okp, crv: 'X25519' } }, 'proof_key'],
    ['1024 bits', { ...right, alg: 'RS256', jwk: { ...rsa, n: first.slice(171) } }, 'proof_key'],
    [
      '8192 bits',
      { ...right, alg: 'RS256', jwk: { ...rsa, n: `z${'A'.repeat(1365)}` } },
      'proof_key',
    ],
    ['2047 bits', { ...right, alg: 'RS256', jwk: { ...rsa, n: `A${first}` } }, 'proof_key'],
    ['exponent 3', { ...right, alg: 'RS256', jwk: { ...rsa, e: 'Aw' } }, 'proof_key'],
    ['a huge exponent', { ...right, alg: 'PS256', jwk: { ...rsa, e: rsa.n } }, 'proof_key'],
  ]
  for (const [what, header, fault] of cases) t.equal(readProofHeader(header), fault, what)
})

t.test('equivalent URLs are equal (RFC 3986 §6.2.2, §6.2.3)', async (t) => {
  const cases: [text: string, normal: string | null][] = [
    ['https://as.example/api/oauth/token', 'https://as.example/api/oauth/token'],
    ['HTTPS://AS.example:443/api/oauth/token?a=b#c', 'https://as.example/api/oauth/token'],
    ['https://as.example', 'https://as.example/'],
    ['https://as.example/a/../api/./oauth/token', 'https://as.example/api/oauth/token'],
    ['https://as.example/%7euser/%2f', 'https://as.example/~user/%2F'],
    ['https://as.example:8443/x', 'https://as.example:8443/x'],
    ['http://as.example/x', 'http://as.example/x'],
    ['https://as.example/X', 'https://as.example/X'],
    ['https://user@as.example/x', null],
    ['https://:password@as.example/x', null],
    ['ftp://as.example/x', null],
    ['javascript:alert(1)', null],
    ['/api/oauth/token', null],
    ['', null],
    [`https://as.example/${'x'.repeat(2048)}`, null],
  ]
  for (const [text, normal] of cases) t.equal(normalUrl(text), normal, text.slice(0, 60))
})

t.test('checks the claims against the request (RFC 9449 §4.3)', async (t) => {
  const target = { method: 'GET', url: 'https://api.example/r', tokenHash: 'hash' }
  const claims = { jti: 'j', htm: 'GET', htu: 'https://api.example/r?q', iat: 1, ath: 'hash' }
  t.same(readProofClaims(claims, target), { jti: 'j', iat: 1, nonce: null })
  t.same(readProofClaims({ ...claims, nonce: 'n' }, target), { jti: 'j', iat: 1, nonce: 'n' })
  const { ath: _, ...plain } = claims
  t.match(readProofClaims(plain, { ...target, tokenHash: null }), { jti: 'j' })
  const cases: [what: string, part: Record<string, unknown>, fault: string][] = [
    ['no id', { jti: undefined }, 'proof_malformed'],
    ['an empty id', { jti: '' }, 'proof_malformed'],
    ['a long id', { jti: 'x'.repeat(257) }, 'proof_malformed'],
    ['no time', { iat: undefined }, 'proof_malformed'],
    ['a time in quotes', { iat: '1' }, 'proof_malformed'],
    ['a nonce that is no text', { nonce: 1 }, 'proof_malformed'],
    ['another method', { htm: 'POST' }, 'proof_method'],
    ['the method in small', { htm: 'get' }, 'proof_method'],
    ['another URL', { htu: 'https://api.example/s' }, 'proof_url'],
    ['no URL', { htu: undefined }, 'proof_url'],
    ['a list of URLs', { htu: ['https://api.example/r'] }, 'proof_url'],
    ['another token', { ath: 'other' }, 'proof_token'],
    ['no token', { ath: undefined }, 'proof_token'],
  ]
  for (const [what, part, fault] of cases)
    t.equal(readProofClaims({ ...claims, ...part }, target), fault, what)
})

t.test('accepts one minute of clock difference in either direction', async (t) => {
  for (const iat of [940, 1000, 1060, 999.5]) t.ok(isFresh(iat, 1000), String(iat))
  for (const iat of [939, 1061, 0, -1, 1e300]) t.notOk(isFresh(iat, 1000), String(iat))
})

t.test('checks the form of a thumbprint', async (t) => {
  t.ok(isThumbprint((await createHolder()).jkt))
  for (const text of [
    '',
    'x',
    'A'.repeat(42),
    'A'.repeat(44),
    `${'A'.repeat(42)}B`,
    '='.repeat(43),
  ])
    t.notOk(isThumbprint(text), text)
})
