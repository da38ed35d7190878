import { createHash, randomBytes, randomUUID } from 'node:crypto'
import t from 'tap'
import { checksumOf } from '../../../src/core/crypto/checksum.ts'
import { createKeyring } from '../../../src/core/crypto/keyring.ts'
import { decodeGrantToken, encodeGrantToken } from '../../../src/core/grants/token-format.ts'

const master = (word: string) => createHash('sha256').update(word).digest()
const keyring = createKeyring([master('one')])
const familyId = '0b9c3d52-6f7e-4a1b-9c8d-00ff10203040'
const code = encodeGrantToken(keyring, { familyId, generation: 0 })
const refreshToken = encodeGrantToken(keyring, { familyId, generation: 1 })
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const many = 2000
/** The same text with a matching checksum, as a forger would write it. */
const withChecksum = (text: string) => text + checksumOf(text)

t.test('reads the tokens that it writes', async (t) => {
  for (const generation of [0, 1, 2, 1000, 0xffffffff]) {
    const token = { familyId: randomUUID(), generation }
    const type = generation === 0 ? 'code' : 'refresh_token'
    const text = encodeGrantToken(keyring, token)
    t.same(decodeGrantToken(keyring, type, text), token, text)
    t.equal(encodeGrantToken(keyring, token), text, 'the same again')
  }
  t.match(code, /^lkac_[0-9A-Za-z]{67}$/)
  t.match(refreshToken, /^lkrt_[0-9A-Za-z]{67}$/)
})

t.test('rejects every change of a single character', async (t) => {
  const accepted: string[] = []
  for (let at = 0; at < refreshToken.length; at++) {
    for (const character of `${alphabet}_-. é\0`) {
      const changed = refreshToken.slice(0, at) + character + refreshToken.slice(at + 1)
      if (changed !== refreshToken && decodeGrantToken(keyring, 'refresh_token', changed))
        accepted.push(changed)
    }
  }
  t.same(accepted, [])
})

t.test('rejects a forgery with a matching checksum', async (t) => {
  const body = refreshToken.slice(0, -6)
  for (let at = 'lkrt_'.length; at < body.length; at++) {
    const character = alphabet[(alphabet.indexOf(body[at] as string) + 1) % 62]
    const forged = withChecksum(body.slice(0, at) + character + body.slice(at + 1))
    t.equal(decodeGrantToken(keyring, 'refresh_token', forged), null, forged)
  }
})

t.test('a code is not accepted as a refresh token, nor the reverse', async (t) => {
  const swapped = (text: string, prefix: string) => withChecksum(prefix + text.slice(5, -6))
  const cases: ['code' | 'refresh_token', string][] = [
    ['refresh_token', code],
    ['code', refreshToken],
    ['refresh_token', swapped(code, 'lkrt_')],
    ['code', swapped(refreshToken, 'lkac_')],
  ]
  for (const [type, text] of cases) t.equal(decodeGrantToken(keyring, type, text), null, text)
})

t.test('rejects damaged text', async (t) => {
  const texts = ['', 'lkrt_', ` ${refreshToken}`, `${refreshToken} `, `${refreshToken}0`]
  const more = [
    refreshToken.slice(0, -1),
    refreshToken.toLowerCase(),
    'é'.repeat(72),
    '\0'.repeat(72),
  ]
  for (const text of [...texts, ...more, 'a'.repeat(100_000), refreshToken + refreshToken])
    t.equal(decodeGrantToken(keyring, 'refresh_token', text), null, text.slice(0, 80))
})

t.test('rejects a malformed family', async (t) => {
  for (const id of ['', 'usr000', familyId.slice(0, -2), familyId.replace('0', 'x')])
    t.throws(() => encodeGrantToken(keyring, { familyId: id, generation: 1 }), TypeError, id)
})

t.test('a token is valid under its own master key only', async (t) => {
  const other = createKeyring([master('two')])
  const ring = createKeyring([master('two'), master('one')])
  t.equal(decodeGrantToken(other, 'refresh_token', refreshToken), null)
  t.same(decodeGrantToken(ring, 'refresh_token', refreshToken), { familyId, generation: 1 })
  const fresh = encodeGrantToken(ring, { familyId, generation: 2 })
  t.same(decodeGrantToken(other, 'refresh_token', fresh), { familyId, generation: 2 })
  t.equal(decodeGrantToken(keyring, 'refresh_token', fresh), null, 'the current key writes')
})

t.test('reads a token of an older master key with the same id', async (t) => {
  let older = randomBytes(32)
  while (createKeyring([older]).tokenKeyId !== keyring.tokenKeyId) older = randomBytes(32)
  const text = encodeGrantToken(createKeyring([older]), { familyId, generation: 7 })
  const ring = createKeyring([master('one'), older])
  t.same(decodeGrantToken(ring, 'refresh_token', text), { familyId, generation: 7 })
})

t.test('tokens of two families share only their type', async (t) => {
  const texts = Array.from({ length: many }, () =>
    encodeGrantToken(keyring, { familyId: randomUUID(), generation: 1 }),
  )
  t.equal(new Set(texts).size, many)
  t.equal(new Set(texts.map((text) => text.slice(0, 5))).size, 1)
  t.ok(new Set(texts.map((text) => text[5])).size > 1)
})
