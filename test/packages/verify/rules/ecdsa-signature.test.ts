import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'
import t from 'tap'
import { fromDer, toDer } from '../../../../packages/verify/src/rules/ecdsa-signature.ts'

const jwsForm = { dsaEncoding: 'ieee-p1363' } as const

t.test('converts signatures between DER and raw form like Node', async (t) => {
  for (const [namedCurve, hash, size] of [
    ['P-256', 'sha256', 32],
    ['P-384', 'sha384', 48],
  ] as const) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve })
    // One number in 128 begins with a zero byte; every second one needs a zero byte for its sign.
    for (let run = 0; run < 1000; run++) {
      const data = randomBytes(20)
      const der = sign(hash, data, privateKey)
      const signature = fromDer(der, size)
      if (!verify(hash, data, { key: publicKey, ...jwsForm }, signature))
        t.fail(`${namedCurve} JWS`)
      if (!der.equals(toDer(signature))) t.fail(`${namedCurve} DER`)
    }
  }
})

t.test('converts numbers of every length', async (t) => {
  const cases: [r: string, s: string, der: string][] = [
    ['00000001', '0000007f', '300602010102017f'],
    ['00000080', '7fffffff', '300a0202008002047fffffff'],
    ['80000000', '00ffffff', '300d02050080000000020400ffffff'],
    ['00000000', '00010000', '30080201000203010000'],
  ]
  for (const [r, s, der] of cases) {
    t.equal(Buffer.from(toDer(Buffer.from(r + s, 'hex'))).toString('hex'), der, der)
    t.equal(Buffer.from(fromDer(Buffer.from(der, 'hex'), 4)).toString('hex'), r + s, r + s)
  }
})
