import t from 'tap'
import type { AuditEvent } from '../../../src/core/audit/audit.ts'
import { createLimits } from '../../../src/core/limits/limits.ts'
import { createPasswordSignIn } from '../../../src/core/people/password-sign-in.ts'
import { createPasswords } from '../../../src/core/people/passwords.ts'
import { createSessions } from '../../../src/core/people/sessions.ts'
import { createUsers } from '../../../src/core/people/users.ts'
import { generousLimits } from '../../support/generous-limits.ts'
import { onEachStores } from '../../support/open-stores.ts'
import { sql } from '../../support/traces.ts'

const from = {
  actor: { kind: 'anonymous', id: null },
  address: '1.1.1.1',
  requestId: null,
  rights: 'self',
} as const
const password = 'correct horse battery staple'
const email = 'kim@acme.test'
const signInFailures = 3
const crowd = 40

await onEachStores(t, 'sessions', async (t, stores, setup) => {
  const events: AuditEvent[] = []
  const passwords = createPasswords(() => 0)
  const users = createUsers({
    serviceNames: [],
    store: stores.users,
    hashPassword: passwords.hash,
    verifyPassword: passwords.verify,
  })
  const limits = (signInFailures: number) =>
    createLimits(stores.counters, { ...generousLimits, signInFailures })
  const audit = {
    record: (event: AuditEvent) => void events.push(event),
    close: async () => undefined,
  }
  const sessions = createSessions({ store: stores.sessions, audit })
  const signInWith = (signInFailures: number) =>
    createPasswordSignIn({
      people: stores.people,
      passwords,
      limits: limits(signInFailures),
      sessions,
      audit,
      now: () => 1_000_000,
    })
  const passwordSignIn = signInWith(signInFailures)
  const kim = await users.create({ email, name: 'Kim', password }, from)
  await users.create({ email: 'nopass@acme.test', name: 'Pat' }, from)
  const disabled = await users.create({ email: 'gone@acme.test', name: 'Gone', password }, from)
  await users.change(disabled.id, { disabled: true }, from)
  let visits = 0
  /** Each from its own address, to stay below the limits. */
  const signIn = (email: string, password: string) =>
    passwordSignIn.signIn({ email, password }, { ...from, address: `10.0.0.${visits++}` })

  t.test('the correct password opens a session of that user', async (t) => {
    const token = await signIn(email, password)
    t.match(token, /^lkss_/)
    t.match(await sessions.find(token ?? ''), {
      user: { id: kim.id, email, name: 'Kim' },
      authenticatedAt: 1_000_000,
    })
    t.ok(await signIn(email.toUpperCase(), password), 'the address is case-insensitive')
    t.not(await signIn(email, password), token, 'a new one each time')
    t.match(events.at(-1), { type: 'session.signed_in', userId: kim.id, actor: { id: kim.id } })
  })

  t.test('a failed sign-in does not reveal its reason', async (t) => {
    const long = 'x'.repeat(2000)
    const cases: [string, string, string][] = [
      ['a wrong password', email, 'wrong'],
      ['an unknown user', 'nobody@acme.test', password],
      ['a disabled user', 'gone@acme.test', password],
      ['a user without a password', 'nopass@acme.test', ''],
      ['a password that is too long', email, password + long],
      ['a password that is long from its beginning', email, long],
      ['a NUL behind the password', email, `${password}\0`],
      ['a NUL in the address', `${email}\0`, password],
      ['SQL in the address', `' or true --`, password],
      ['an address beyond ASCII', 'kİm@acme.test', password],
    ]
    for (const [what, address, secret] of cases) {
      t.equal(await signIn(address, secret), null, what)
      t.match(events.at(-1), { type: 'session.sign_in_failed' })
      t.notMatch(JSON.stringify(events.at(-1)), /correct|wrong|xxxx/)
    }
  })

  t.test('an ended session is refused', async (t) => {
    const token = (await signIn(email, password)) ?? ''
    const other = (await signIn(email, password)) ?? ''
    await sessions.end(token)
    t.equal(await sessions.find(token), null)
    t.ok(await sessions.find(other), 'no other session ends')
    t.equal(await sessions.find('lkss_made-up'), null)
  })

  t.test('the stored digest opens no session', async (t) => {
    const token = (await signIn(email, password)) ?? ''
    const rows = await sql<{ lineage_hash: string; token_hash: string }>(
      setup,
      'select lineage_hash, token_hash from sessions',
    )
    t.ok(rows.length > 0)
    for (const { lineage_hash: lineage, token_hash: hash } of rows) {
      t.notMatch(token, lineage)
      t.notMatch(token, hash)
      for (const made of [hash, lineage, `${hash}-${lineage}`])
        t.equal(await sessions.find(made), null)
    }
  })

  t.test('a disabled user has no session', async (t) => {
    const token = (await signIn(email, password)) ?? ''
    await users.change(kim.id, { disabled: true }, from)
    t.equal(await sessions.find(token), null)
    t.equal(await signIn(email, password), null)
    await users.change(kim.id, { disabled: false }, from)
    t.equal(await sessions.find(token), null, 'enabling the account does not restore it')
    t.ok(await sessions.find((await signIn(email, password)) ?? ''), 'a new session can be opened')
    await users.change(kim.id, { disabled: false }, from)
    t.equal(await sessions.find(token), null)
  })

  t.test('a change that does not disable the user ends no session', async (t) => {
    const token = (await signIn(email, password)) ?? ''
    await users.change(kim.id, { name: 'Kim Doe' }, from)
    await users.change(kim.id, { disabled: false }, from)
    t.match(await sessions.find(token), { user: { name: 'Kim Doe' } })
  })

  t.test('a user who is disabled during the sign-in has no session', async (t) => {
    // On a busy machine the last of them may wait too long for the same account, and are refused.
    const [disabling, ...signIns] = await Promise.allSettled([
      users.change(kim.id, { disabled: true }, from),
      ...Array.from({ length: 4 }, () => signIn(email, password)),
    ])
    await users.change(kim.id, { disabled: false }, from)
    t.equal(disabling.status, 'fulfilled')
    for (const one of signIns)
      if (one.status === 'rejected') t.equal(one.reason.reason, 'sign_in_overload')
      else if (one.value) t.equal(await sessions.find(one.value), null)
  })

  t.test('a password that could not be checked is not counted as wrong', async (t) => {
    const answers = await Promise.allSettled(
      Array.from({ length: crowd }, () => signInWith(crowd).signIn({ email, password }, from)),
    )
    const refused = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    t.ok(refused.length > 0)
    t.same([...new Set(refused.map((one) => one.reason))], ['sign_in_overload'])
    const tries = Array.from({ length: crowd }, () =>
      limits(crowd).signInAttempt(from.address, email),
    )
    for (const refund of await Promise.all(tries)) await refund()
  })

  t.test('after too many failures the correct password is refused too', async (t) => {
    for (let i = 0; i < signInFailures; i++)
      await passwordSignIn.signIn({ email, password: 'wrong' }, from)
    for (const spelling of [email, email.toUpperCase(), ` ${email}`])
      await t.rejects(
        passwordSignIn.signIn({ email: spelling, password }, from),
        { code: 'slow_down' },
        spelling,
      )
    t.ok(await signIn(email, password), 'accepted from another address')
  })

  t.test('a new password ends every session', async (t) => {
    const tokens = [await signIn(email, password), await signIn(email, password)]
    await users.change(kim.id, { password: 'another horse' }, from)
    for (const token of tokens) t.equal(await sessions.find(token ?? ''), null)
    t.equal(await signIn(email, password), null)
    t.ok(await sessions.find((await signIn(email, 'another horse')) ?? ''))
  })
})
