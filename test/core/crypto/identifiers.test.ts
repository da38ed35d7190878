import t from 'tap'
import { checksumOf } from '../../../src/core/crypto/checksum.ts'
import { isIdShaped, newId, newSecret, secretHint } from '../../../src/core/crypto/identifiers.ts'

const many = 2000
const zero = (size: number) => Buffer.alloc(size)

/** The length of the common prefix of these texts. */
const sharedPrefix = (texts: string[]) => {
  const [first = ''] = texts
  let length = 0
  while (texts.every((text) => text[length] === first[length])) length++
  return length
}

t.test('ids have a prefix and 96 random bits', async (t) => {
  const ids = Array.from({ length: many }, () => newId('workspace'))
  t.equal(new Set(ids).size, many)
  t.equal(sharedPrefix(ids), 'wks'.length)
  for (const id of ids.slice(0, 20)) {
    t.match(id, /^wks[0-9A-Za-z]{18}$/)
    t.ok(isIdShaped(id))
  }
  t.equal(newId('organization', zero), 'org000000000000000000', 'randomness is passed in')
  let requested = 0
  newId('user', (size) => {
    requested = size
    return zero(size)
  })
  t.equal(requested * 8, 96)
})

t.test('secrets have a prefix, 256 random bits and a checksum', async (t) => {
  const secrets = Array.from({ length: many }, () => newSecret('app'))
  t.equal(new Set(secrets).size, many)
  t.equal(sharedPrefix(secrets), 'lkcs_'.length)
  for (const secret of secrets.slice(0, 20)) {
    t.match(secret, /^lkcs_[0-9A-Za-z]{54}$/)
    t.equal(checksumOf(secret.slice(0, -6)), secret.slice(-6))
  }
  let requested = 0
  newSecret('app', (size) => {
    requested = size
    return zero(size)
  })
  t.equal(requested * 8, 256)
})

t.test('each kind of secret has its own prefix', async (t) => {
  const kinds = ['app', 'keySet', 'resourceServer', 'operatorToken', 'session'] as const
  t.equal(new Set(kinds.map((kind) => newSecret(kind).slice(0, 5))).size, kinds.length)
})

t.test('a hint distinguishes two secrets without revealing them', async (t) => {
  t.equal(secretHint('lkcs_0123456789abcd'), '…abcd')
})

t.test('which texts can be an id', async (t) => {
  const cases: [string, boolean][] = [
    ['app0000000000000000AB', true],
    ['a', true],
    ['with-dash_and_line', true],
    ['a'.repeat(128), true],
    ['a'.repeat(129), false],
    ['', false],
    ['a b', false],
    ['a\0', false],
    ['a\n', false],
    ['é', false],
    ['../a', false],
    ["a'--", false],
  ]
  for (const [text, expected] of cases)
    t.equal(isIdShaped(text), expected, JSON.stringify(text.slice(0, 30)))
  for (const other of [['app1'], 7, true, null, undefined, {}])
    t.notOk(isIdShaped(other), JSON.stringify(other))
})
