import t from 'tap'
import { decodeBase62 } from '../../../src/core/crypto/base62.ts'
import { checksumOf } from '../../../src/core/crypto/checksum.ts'

t.test('CRC-32 of ISO 3309 in six characters', async (t) => {
  const cases: [string, string][] = [
    ['', '00000000'],
    ['123456789', 'cbf43926'], // The check value of the CRC catalogues.
    ['a', 'e8b7be43'],
    ['The quick brown fox jumps over the lazy dog', '414fa339'],
  ]
  for (const [text, sum] of cases) t.equal(decodeBase62(checksumOf(text))?.toString('hex'), sum)
})
