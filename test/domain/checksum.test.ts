import t from 'tap'
import { crc32 } from '../../src/domain/checksum.ts'

t.test('CRC-32 of ISO 3309', async (t) => {
  const cases: [string, string][] = [
    ['', '00000000'],
    ['123456789', 'cbf43926'], // the check value of the CRC catalogues
    ['a', 'e8b7be43'],
    ['The quick brown fox jumps over the lazy dog', '414fa339'],
  ]
  for (const [text, sum] of cases) t.equal(crc32(text).toString('hex'), sum, text)
})
