import t from 'tap'
import { createPasswords } from '../../src/services/passwords.ts'

t.test('a password matches its hash and no other', async (t) => {
  const passwords = createPasswords()
  const hash = await passwords.hash('correct horse')
  t.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  t.not(await passwords.hash('correct horse'), hash, 'salted')
  const cases: [string | null, string, boolean][] = [
    [hash, 'correct horse', true],
    [hash, 'Correct horse', false],
    [hash, 'correct horse ', false],
    [hash, 'correct horse\0', false],
    [hash, '', false],
    [null, 'correct horse', false],
    [null, 'nobody', false],
    [null, '', false],
  ]
  for (const [kept, sent, expected] of cases)
    t.equal(await passwords.verify(kept, sent), expected, JSON.stringify(sent))
})

t.test('a NUL in a password cuts nothing off', async (t) => {
  const passwords = createPasswords()
  const hash = await passwords.hash('before\0after')
  t.equal(await passwords.verify(hash, 'before'), false)
  t.equal(await passwords.verify(hash, 'before\0after'), true)
})

t.test('so many wait, the rest are told to come again', async (t) => {
  const passwords = createPasswords()
  const answers = await Promise.allSettled(
    Array.from({ length: 50 }, () => passwords.verify(null, 'anything')),
  )
  const refused = answers.filter((one) => one.status === 'rejected')
  t.equal(answers.length - refused.length, 34, 'two run and 32 wait')
  for (const { reason } of refused)
    t.match(reason, { code: 'temporarily_unavailable', status: 503, reason: 'sign_in_overload' })
  t.equal(await passwords.verify(null, 'anything'), false, 'and later there is room again')
})
