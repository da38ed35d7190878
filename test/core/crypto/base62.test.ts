import { randomBytes } from 'node:crypto'
import t from 'tap'
import { decodeBase62, encodeBase62 } from '../../../src/core/crypto/base62.ts'

t.test('encodes four bytes as six characters', async (t) => {
  const cases: [string, string][] = [
    ['', ''],
    ['00000000', '000000'],
    ['00000001', '000001'],
    ['0000003d', '00000z'],
    ['0000003e', '000010'],
    ['ffffffff', '4gfFC3'],
    ['00000000ffffffff', '0000004gfFC3'],
  ]
  for (const [hex, text] of cases) {
    t.equal(encodeBase62(Buffer.from(hex, 'hex')), text, hex)
    t.equal(decodeBase62(text)?.toString('hex'), hex, text)
  }
})

t.test('decodes what it encoded', async (t) => {
  for (let words = 1; words < 40; words++) {
    const bytes = randomBytes(words * 4)
    t.same(decodeBase62(encodeBase62(bytes)), bytes)
  }
})

t.test('rejects text that no bytes encode to', async (t) => {
  const refused = [
    '0',
    '00000',
    '0000000',
    '00000-',
    '00000 ',
    '00000é',
    '4gfFC4',
    'zzzzzz',
    '00000\0',
  ]
  for (const text of refused) t.equal(decodeBase62(text), null, JSON.stringify(text))
})
