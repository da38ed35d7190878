import t from 'tap'
import { matchesHash, readHash, textOfKeycloak } from '../../../src/core/people/foreign-hash.ts'
import { hashedPassword, hashes, keycloakHashes } from '../../support/foreign-hashes.ts'

const value = 'c2FsdHNhbHRzYWx0c2FsdA' // 16 bytes
const [salt, none] = ['c2FsdHNhbHQ', '']

t.test('hashes of each library match their password, and no other', async (t) => {
  for (const text of [...Object.values(hashes), ...keycloakHashes.map(textOfKeycloak)]) {
    t.ok(await matchesHash(text, hashedPassword), text)
    t.notOk(await matchesHash(text, `${hashedPassword}.`), text)
  }
})

t.test('bcrypt counts 72 bytes', async (t) => {
  const { default: bcrypt } = await import('bcrypt')
  const hash = await (
    bcrypt as unknown as { hash(text: string, cost: number): Promise<string> }
  ).hash('x'.repeat(72), 4)
  for (const letter of 'aby') {
    const text = hash.replace('$2b', `$2${letter}`)
    t.ok(await matchesHash(text, 'x'.repeat(300)))
    t.notOk(await matchesHash(text, 'x'.repeat(71)))
  }
})

const bcryptOf = (cost: string) => `$2b$${cost}$${'a'.repeat(53)}`
const pbkdf2 = (i: number, bytes = value, of = salt) => `$pbkdf2-sha256$i=${i}$${of}$${bytes}`
const argon2 = (m: number, time: number, p = 1, of = salt, bytes = value) =>
  `$argon2id$v=19$m=${m},t=${time},p=${p}$${of}$${bytes}`
const scrypt = (ln: number, r: number, p: number, of = salt) =>
  `$scrypt$ln=${ln},r=${r},p=${p}$${of}$${value}`

const limits: [string, boolean][] = [
  [pbkdf2(2_000_000), true],
  [pbkdf2(2_000_001), false],
  [pbkdf2(1_000_001, Buffer.alloc(64, 1).toString('base64url')), false],
  [pbkdf2(1000, 'c2hvcnQ'), false],
  [pbkdf2(1000, value, none), false],
  [`$pbkdf2-sha256$i=1000,l=32$${salt}$${value}`, false],
  [`$pbkdf2-md5$i=1000$${salt}$${value}`, false],
  [`$pbkdf2$1000$${salt}$${value}`, false],
  [bcryptOf('14'), true],
  [bcryptOf('15'), false],
  [bcryptOf('03'), false],
  [bcryptOf('10').replace('2b', '2x'), false],
  [`${bcryptOf('10')}.`, false],
  [argon2(262_144, 4), true],
  [argon2(262_145, 1), false],
  [argon2(262_144, 5), false],
  [argon2(512, 1, 65), false],
  [argon2(7, 1), false],
  [argon2(512, 1, 1, 'c2hvcnQ'), false],
  [argon2(512, 1, 1, salt, 'c2hvcnQ'), false],
  [argon2(512, 1).replace('19', '18'), false],
  [argon2(512, 1).replace('$v=19', ''), true],
  [scrypt(18, 8, 4), true],
  [scrypt(19, 8, 1), false],
  [scrypt(18, 8, 5), false],
  [scrypt(0, 8, 1), false],
  [scrypt(99, 8, 1), false],
  [scrypt(10, 8, 1, none), false],
  [`scrypt$1000$salt$8$1$${value}`, false],
  [`sha256:${'a'.repeat(64)}`, true],
  [`sha256:${'a'.repeat(63)}`, false],
  ['correct horse', false],
  ['', false],
  [textOfKeycloak({ algorithm: 'argon2', salt: '', value }), false],
  [textOfKeycloak({ algorithm: 'pbkdf2', iterations: 1, salt, value: '$' }), false],
  [textOfKeycloak({ algorithm: 'toString', iterations: 1, salt, value }), false],
]

t.test('what is too expensive, too short or of another form is refused', (t) => {
  for (const [text, isTaken] of limits) t.equal(readHash(text) !== null, isTaken, text)
  t.end()
})
