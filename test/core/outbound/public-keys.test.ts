import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { JWK } from 'jose'
import t from 'tap'
import { isBounded, publicKeyFaults } from '../../../src/core/outbound/public-keys.ts'

const exported = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
  format: 'jwk',
})
const rsa = exported as JWK & { n: string }
const curve = (namedCurve: string) =>
  generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' }) as JWK
const okp = ({ publicKey }: { publicKey: KeyObject }) => publicKey.export({ format: 'jwk' }) as JWK
const ed448 = okp(generateKeyPairSync('ed448'))
const text = (bytes: number[] | Buffer) => Buffer.from(bytes).toString('base64url')
const ones = (bytes: number) => text(Buffer.alloc(bytes, 255))

t.test('KEY-10 public keys of others are of bounded size and on supported curves', async (t) => {
  const cases: [what: string, jwk: JWK, pointer: string | null][] = [
    ['65537', rsa, null],
    ['3', { ...rsa, e: text([3]) }, null],
    ['the largest of 32 bits', { ...rsa, e: ones(4) }, null],
    ['33 bits', { ...rsa, e: text([1, 0, 0, 0, 1]) }, '/0/e'],
    ['as long as the modulus', { ...rsa, e: rsa.n }, '/0/e'],
    ['one', { ...rsa, e: text([1]) }, '/0/e'],
    ['even', { ...rsa, e: text([1, 0, 0]) }, '/0/e'],
    ['no exponent', { ...rsa, e: '' }, '/0/e'],
    ['a modulus of 4096 bits', { ...rsa, n: ones(512) }, null],
    ['4097 bits', { ...rsa, n: text([1, ...Buffer.alloc(512, 255)]) }, '/0/n'],
    ['8192 bits', { ...rsa, n: ones(1024) }, '/0/n'],
    ['2047 bits', { ...rsa, n: text([127, ...Buffer.alloc(255, 255)]) }, '/0/n'],
    [
      '1024 bits after zeros',
      { ...rsa, n: text([...Buffer.alloc(128), ...Buffer.alloc(128, 255)]) },
      '/0/n',
    ],
    ['an even modulus', { ...rsa, n: text([...Buffer.alloc(255, 255), 254]) }, '/0/n'],
    ['P-256', curve('P-256'), null],
    ['P-384', curve('P-384'), null],
    ['P-521', curve('P-521'), null],
    ['secp256k1', curve('secp256k1'), '/0'],
    ['secp256k1 that says ES256', { ...curve('secp256k1'), alg: 'ES256' }, '/0'],
    ['P-384 that says ES256', { ...curve('P-384'), alg: 'ES256' }, '/0'],
    ['Ed25519', okp(generateKeyPairSync('ed25519')), null],
    ['Ed448', ed448, '/0'],
    ['Ed448 that says EdDSA', { ...ed448, alg: 'EdDSA' }, '/0'],
  ]
  for (const [what, jwk, pointer] of cases) {
    const [fault] = await publicKeyFaults(jwk, '/0')
    t.equal(fault?.pointer ?? null, pointer, what)
  }
})

t.test('a key that is stored already is used only with a bounded size', (t) => {
  t.ok(isBounded(rsa))
  t.ok(isBounded({ ...rsa, n: ones(512), e: ones(4) }))
  t.ok(isBounded(curve('P-521')))
  t.notOk(isBounded({ ...rsa, n: ones(1024) }))
  t.notOk(isBounded({ ...rsa, e: rsa.n }))
  t.end()
})
