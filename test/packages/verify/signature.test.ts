/** Both ways to verify a signature, because some runtimes have only one. */
import nodeCrypto, { generateKeyPairSync, sign } from 'node:crypto'
import t from 'tap'
import { readKey } from '../../../packages/verify/src/signature.ts'
import { newKey } from '../../support/scripted-server.ts'

const signatureOf = (key: nodeCrypto.KeyObject, input: string, hash: string | null) =>
  sign(hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')

for (const [name, crypto] of [
  ['node:crypto', nodeCrypto],
  ['Web Crypto', undefined],
] as const) {
  t.test(`signatures by ${name}`, async (t) => {
    const read = (jwk: unknown) => readKey(jwk, crypto ?? null)
    const ec = newKey('ec')
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const ed = generateKeyPairSync('ed25519')
    const pairs: [string, nodeCrypto.KeyObject, string | null, unknown][] = [
      ['ES256', ec.privateKey, 'sha256', ec.jwk],
      ['ES256', ec.privateKey, 'sha256', { ...ec.jwk, alg: undefined }],
      [
        'RS256',
        rsa.privateKey,
        'sha256',
        { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'r', alg: 'RS256' },
      ],
      [
        'EdDSA',
        ed.privateKey,
        null,
        { ...ed.publicKey.export({ format: 'jwk' }), kid: 'e', alg: 'EdDSA' },
      ],
    ]
    for (const [alg, privateKey, hash, jwk] of pairs) {
      const key = await read(jwk)
      if (!key) throw new Error(`${alg} is not read`)
      t.equal(key.alg, alg)
      const signature = signatureOf(privateKey, 'a.b', hash)
      t.equal(await key.verify('a.b', signature), true, alg)
      t.equal(await key.verify('a.c', signature), false, `${alg}, other text`)
      t.equal(await key.verify('a.b', signature.slice(0, -4)), false, `${alg}, shorter`)
      t.equal(await key.verify('a.b', `${signature}AAAA`), false, `${alg}, longer`)
      t.equal(await key.verify('a.b', ''), false, `${alg}, none`)
    }
    const { x } = ec.jwk
    const useless: unknown[] = [
      null,
      'key',
      {},
      { ...ec.jwk, kid: undefined },
      { ...ec.jwk, kid: 1 },
      { ...ec.jwk, use: 'enc' },
      { ...ec.jwk, key_ops: ['sign'] },
      { ...ec.jwk, alg: 'HS256' },
      { ...ec.jwk, alg: 'RS256' },
      { ...ec.jwk, alg: 'constructor' },
      { ...ec.jwk, crv: 'P-384' },
      { ...ec.jwk, kty: 'RSA' },
      { ...ec.jwk, y: x },
      { ...ec.jwk, x: undefined },
      ec.privateKey.export({ format: 'jwk' }),
      { ...ec.privateKey.export({ format: 'jwk' }), kid: 'private' },
      { kty: 'oct', k: 'AAAA', kid: 'o', alg: 'HS256' },
    ]
    for (const jwk of useless) t.equal(await read(jwk), null, JSON.stringify(jwk))
  })
}
