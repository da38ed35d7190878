import { createHash, randomBytes } from 'node:crypto'
import t from 'tap'
import { createKeyring } from '../../../src/core/crypto/keyring.ts'

const master = (word: string) => createHash('sha256').update(word).digest()
const [one, two, three] = [master('one'), master('two'), master('three')]
const old = createKeyring([one])
const rotated = createKeyring([two, one])
const plain = Buffer.from('a private key')
const row = 'signing_keys:abc'

/** Two master keys with the same one-character id, which happens for one pair in about sixty. */
const twins = (): [Buffer, Buffer] => {
  const seen = new Map<string, Buffer>()
  for (;;) {
    const fresh = randomBytes(32)
    const { tokenKeyId } = createKeyring([fresh])
    const twin = seen.get(tokenKeyId)
    if (twin) return [twin, fresh]
    seen.set(tokenKeyId, fresh)
  }
}

t.test('a text that is sealed for a row opens for that row only', async (t) => {
  const sealed = old.seal(plain, row)
  t.same(old.open(sealed, row), plain)
  t.notOk(sealed.includes(plain), 'it is unreadable')
  for (const elsewhere of ['signing_keys:abd', 'key_set_secrets:abc', ''])
    t.throws(() => old.open(sealed, elsewhere), elsewhere)
  t.notSame(old.seal(plain, row), sealed, 'different each time')
  t.same(old.open(old.seal(Buffer.alloc(0), row), row), Buffer.alloc(0))
})

t.test('a changed or truncated text does not open', async (t) => {
  const sealed = old.seal(plain, row)
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    t.throws(() => old.open(changed, row), `byte ${at}`)
    t.throws(() => old.open(sealed.subarray(0, at), row), `cut at ${at}`)
  }
})

t.test('a truncated tag is rejected', async (t) => {
  const empty = old.seal(Buffer.alloc(0), row)
  for (let at = 0; at < empty.length; at++)
    t.throws(() => old.open(empty.subarray(0, at), row), `cut at ${at}`)
})

t.test('an older master key in the ring still opens, an unknown one never', async (t) => {
  const sealed = old.seal(plain, row)
  t.same(rotated.open(sealed, row), plain)
  t.throws(() => old.open(rotated.seal(plain, row), row), 'the current one seals')
  t.throws(() => createKeyring([three]).open(sealed, row))
})

t.test('the key that sealed a text can be identified', async (t) => {
  const sealed = old.seal(plain, row)
  t.equal(rotated.sealedUnder(sealed, row), old.keyIds[0])
  t.equal(rotated.sealedUnder(rotated.seal(plain, row), row), rotated.keyIds[0])
  t.equal(rotated.sealedUnder(sealed, 'elsewhere'), null)
  t.equal(createKeyring([three]).sealedUnder(sealed, row), null)
  t.same(rotated.keyIds, [createKeyring([two]).keyIds[0], old.keyIds[0]])
  const [older, newer] = twins()
  const ring = createKeyring([newer, older])
  t.equal(ring.sealedUnder(createKeyring([older]).seal(plain, row), row), ring.keyIds[1])
  t.not(ring.keyIds[0], ring.keyIds[1], 'also when their first characters are equal')
})

t.test('a digest matches under every master key of the ring', async (t) => {
  const digest = old.digest('secret')
  t.equal(rotated.digestMatches('secret', digest), true)
  t.equal(rotated.digestMatches('secret', rotated.digest('secret')), true)
  t.equal(rotated.digestMatches('Secret', digest), false)
  t.equal(rotated.digestMatches('', digest), false)
  t.equal(old.digestMatches('secret', rotated.digest('secret')), false)
  t.equal(rotated.digestMatches('secret', digest.subarray(1)), false)
  t.equal(rotated.digestMatches('secret', Buffer.alloc(0)), false)
  t.same(rotated.digests('secret'), [rotated.digest('secret'), digest])
})

t.test('every purpose has its own key', async (t) => {
  const [mac] = old.tokenMacs(old.tokenKeyId, Buffer.from('same'))
  t.not(mac?.toString('hex'), old.digest('same').toString('hex'))
  const keys = [...rotated.cookieKeys, rotated.csrfKey, ...old.cookieKeys, old.csrfKey]
  t.equal(new Set(keys).size, 4, 'the older key signs no new cookie')
  t.same(rotated.cookieKeys[1], old.cookieKeys[0])
})

t.test('a token MAC uses the key that it names', async (t) => {
  const data = Buffer.from('data')
  t.same(rotated.tokenMacs(old.tokenKeyId, data), old.tokenMacs(old.tokenKeyId, data))
  const unknown = ['0', '1', '2', '3'].find((id) => rotated.tokenMacs(id, data).length === 0)
  t.same(rotated.tokenMacs(unknown ?? '', data), [])
  t.same(rotated.tokenMacs('', data), [])
})

t.test('two master keys with the same id both work', async (t) => {
  const [older, newer] = twins()
  const [before, after] = [createKeyring([older]), createKeyring([newer, older])]
  t.equal(before.tokenKeyId, after.tokenKeyId)
  t.same(after.open(before.seal(plain, row), row), plain)
  t.same(after.open(after.seal(plain, row), row), plain)
  const data = Buffer.from('data')
  const [mac] = before.tokenMacs(before.tokenKeyId, data)
  t.same(after.tokenMacs(after.tokenKeyId, data)[1], mac)
})
