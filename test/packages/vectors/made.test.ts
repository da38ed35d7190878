/** The committed vectors: their form, their names, and that the program still makes them. */
import { createPublicKey, verify } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { curves, signDeterministically } from '../../../scripts/vectors/ecdsa.ts'
import { ecKey, edKey, rsaKey } from '../../../scripts/vectors/keys.ts'
import { textOf as made, makeThemes } from '../../../scripts/vectors/themes.ts'
import { files, schema, textOf, vectorsIn } from './vectors.ts'

t.test('each file is what the program makes', async (t) => {
  const themes = makeThemes()
  t.same(files.toSorted(), themes.map(({ file }) => `${file}.json`).toSorted())
  for (const theme of themes)
    t.ok(
      made(theme) === textOf(`${theme.file}.json`),
      `${theme.file}.json is out of date: npm run vectors`,
    )
})

t.test('each file has the form of the schema', async (t) => {
  const isValid = new Ajv2020({ allowUnionTypes: true }).compile(schema)
  for (const file of files) {
    isValid(vectorsIn(file))
    t.same(isValid.errors ?? [], [], file)
  }
})

t.test('the schema refuses other forms', async (t) => {
  const isValid = new Ajv2020({ allowUnionTypes: true }).compile(schema)
  const [first] = vectorsIn('current-tokens.json')
  const others: [string, unknown][] = [
    ['no vector', []],
    ['a member that does not exist', [{ ...first, nwo: 1 }]],
    ['a time in milliseconds with a fraction', [{ ...first, now: 0.5 }]],
    ['no result', [{ ...first, expect: undefined }]],
    [
      'an unknown reason',
      [{ ...first, expect: { ok: false, code: 'token-invalid', reason: 'x' } }],
    ],
    [
      'a reason of another code',
      [{ ...first, expect: { ok: false, code: 'token-invalid', reason: 'proof_stale' } }],
    ],
    ['an unknown form of credential', [{ ...first, credential: { cookie: 'x' } }]],
  ]
  t.ok(isValid([first]))
  for (const [what, value] of others) t.notOk(isValid(JSON.parse(JSON.stringify(value))), what)
})

t.test('names are unique, so that a failure names one vector', async (t) => {
  const names = files.flatMap(vectorsIn).map(({ name }) => name)
  t.same(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  )
})

t.test('ECDSA signatures are those of RFC 6979', async (t) => {
  // Appendix A.2.5 and A.2.6, with the message "sample".
  const secret = Buffer.from(
    'C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721',
    'hex',
  )
  t.equal(
    signDeterministically(secret, curves.ES256, 'sample').toString('hex').toUpperCase(),
    'EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716' +
      'F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8',
  )
})

t.test('every key signs what its public key verifies', async (t) => {
  for (const alg of ['ES256', 'ES384'] as const) {
    const key = ecKey('test', alg)
    for (const text of ['a', 'b', 'c']) {
      const publicKey = createPublicKey({ key: key.jwk, format: 'jwk' })
      const options = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
      t.ok(verify(curves[alg].hash, Buffer.from(text), options, key.sign(text)), `${alg} ${text}`)
    }
  }
  const ed = edKey('test')
  t.ok(
    verify(null, Buffer.from('a'), createPublicKey({ key: ed.jwk, format: 'jwk' }), ed.sign('a')),
  )
  for (const alg of ['RS256', 'PS256'] as const) {
    const key = rsaKey('test', alg)
    const publicKey = createPublicKey({ key: key.jwk, format: 'jwk' })
    const padding = alg === 'PS256' ? { padding: 6, saltLength: 32 } : {}
    t.ok(verify('sha256', Buffer.from('a'), { key: publicKey, ...padding }, key.sign('a')), alg)
    t.same(key.sign('a'), rsaKey('test', alg).sign('a'), `${alg} is deterministic`)
  }
})
