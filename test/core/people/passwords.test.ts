// Full hashes: it tests them.
import t from 'tap'
import { createPasswords } from '../../../src/core/people/passwords.ts'

const me = { account: 'kim@acme.test', address: '192.0.2.1' }
let accounts = 0
/** Another user each time, from an address of their own. */
const somebody = () => ({ account: `p${accounts++}`, address: `192.0.2.${accounts % 250}` })
/** Another user each time, all from one address. */
const neighbour = () => ({ account: `p${accounts++}`, address: '198.51.100.1' })

t.test('a password matches its own hash only', async (t) => {
  const passwords = createPasswords()
  const hash = await passwords.hash('correct horse', me)
  t.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  t.not(await passwords.hash('correct horse', me), hash, 'salted')
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
    t.equal(await passwords.verify(kept, sent, me), expected, JSON.stringify(sent))
})

t.test('a NUL in a password truncates nothing', async (t) => {
  const passwords = createPasswords()
  const hash = await passwords.hash('before\0after', me)
  t.equal(await passwords.verify(hash, 'before', me), false)
  t.equal(await passwords.verify(hash, 'before\0after', me), true)
})

t.test('a limited number of password checks wait, further ones get Retry-After', async (t) => {
  const passwords = createPasswords(() => 0, 2)
  const answers = await Promise.allSettled(
    Array.from({ length: 50 }, () => passwords.verify(null, 'anything', somebody())),
  )
  const refused = answers.filter((one) => one.status === 'rejected')
  t.equal(answers.length - refused.length, 34, 'two run and 32 wait')
  for (const { reason } of refused)
    t.match(reason, { code: 'temporarily_unavailable', status: 503, reason: 'sign_in_overload' })
  t.equal(await passwords.verify(null, 'anything', me), false, 'there is room again later')
})

t.test('in a constant line, a check that waited too long is refused', async (t) => {
  let time = 0
  const passwords = createPasswords(() => time, 2)
  const outcomes: string[] = []
  const come = (name: string) =>
    passwords.verify(null, 'anything', neighbour()).then(
      () => outcomes.push(`${name} was admitted`),
      ({ reason }) => outcomes.push(`${name}: ${reason}`),
    )
  const crowd = ['one', 'two', 'three', 'four'].map(come)
  time = 900
  await Promise.all(crowd)
  t.same(outcomes.filter((one) => one.endsWith('was admitted')).length, 4, 'a crowd is admitted')

  outcomes.length = 0
  const first = ['one', 'two'].map(come)
  const early = come('early')
  time += 1100
  const late = come('late')
  await Promise.all([...first, early, late])
  t.same(outcomes.toSorted(), [
    'early: sign_in_overload',
    'late was admitted',
    'one was admitted',
    'two was admitted',
  ])
})
