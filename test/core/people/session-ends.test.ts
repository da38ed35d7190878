/** The sessions of a user, and how they end. */
import t from 'tap'
import type { AuditEvent } from '../../../src/core/audit/audit.ts'
import { createPasswords } from '../../../src/core/people/passwords.ts'
import { sessionEnd } from '../../../src/core/people/session.ts'
import { createSessions } from '../../../src/core/people/sessions.ts'
import { createUsers } from '../../../src/core/people/users.ts'
import { onEachStores } from '../../support/open-stores.ts'
import { sql } from '../../support/traces.ts'

const from = {
  actor: { kind: 'anonymous', id: null },
  address: '192.0.2.1',
  requestId: null,
  rights: 'self',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
} as const
const most = 4

await onEachStores(t, 'sessions of a person', async (t, stores, setup) => {
  const events: AuditEvent[] = []
  const passwords = createPasswords(() => 0)
  const users = createUsers({
    serviceNames: [],
    store: stores.users,
    hashPassword: passwords.hash,
    verifyPassword: passwords.verify,
  })
  const sessionsWith = (idle: number) =>
    createSessions({
      store: stores.sessions,
      audit: { record: (event) => void events.push(event), close: async () => undefined },
      idle,
      most,
    })
  const sessions = sessionsWith(0)
  let people = 0
  const somebody = async () => {
    const { id } = await users.create({ email: `p${people++}@acme.test`, name: 'Kim' }, from)
    const user = await stores.people.findActive(id)
    if (!user) throw new Error('not there')
    return user
  }
  type User = Awaited<ReturnType<typeof somebody>>
  const open = async (user: User, passkeyIds: string[] = []) => {
    const methods = passkeyIds.length > 0 ? ['passkey' as const] : ['password' as const]
    const token = await sessions.open({ user, authenticatedAt: 1, methods, passkeyIds }, from)
    return token ?? ''
  }
  const isLive = async (token: string) => (await sessions.find(token)) !== null
  const found = async (token: string) => {
    const session = await sessions.find(token)
    if (!session) throw new Error('no session')
    return session
  }
  let keys = 0
  const addPasskey = async (user: User) => {
    const id = `psk${keys++}`
    const credential = { credentialId: id, publicKey: new Uint8Array(4), counter: 0 }
    const passkey = { ...credential, id, userId: user.id, name: 'Key', transports: [] }
    await stores.passkeys.insert(passkey, 20, { type: 'passkey.added', actor: from.actor })
    return id
  }
  const removePasskey = (user: User, id: string, keep: string | null) => {
    const event = { type: 'passkey.removed', actor: from.actor } as const
    const ended = sessionEnd(from, user.id, 'ended')
    return stores.passkeys.remove({ userId: user.id, id, keep, event, ended })
  }

  t.test('sessions are listed to their own user only, with the browser in words', async (t) => {
    const [kim, ana] = [await somebody(), await somebody()]
    await open(kim)
    await open(ana)
    t.match(await sessions.list(kim.id), [
      { address: '192.0.2.1', browser: 'Firefox', system: 'Linux', methods: ['password'] },
    ])
    t.equal((await sessions.list(kim.id)).length, 1)
    const [other] = await sessions.list(ana.id)
    t.equal(
      await sessions.endOne({ userId: kim.id, id: other?.id ?? '' }, from),
      false,
      'another user cannot end them',
    )
    t.equal((await sessions.list(ana.id)).length, 1)
  })

  t.test('sessions of a user are limited; the oldest ends', async (t) => {
    const kim = await somebody()
    const tokens: string[] = []
    for (let at = 0; at < most + 2; at++) tokens.push(await open(kim))
    t.same(
      await Promise.all(tokens.map(isLive)),
      tokens.map((_, at) => at >= 2),
    )
    const trail = await sql<{ detail: { reason: string } }>(
      setup,
      `select detail from audit_events where type = 'session.ended' and user_id = '${kim.id}'`,
    )
    t.same(
      trail.map((one) => one.detail.reason),
      ['too_many', 'too_many'],
    )
  })

  t.test('concurrent sign-ins leave no more sessions', async (t) => {
    const kim = await somebody()
    await Promise.all(Array.from({ length: 20 }, () => open(kim)))
    t.equal((await sessions.list(kim.id)).length, most)
  })

  t.test('sessions that a new password ended do not count', async (t) => {
    const kim = await somebody()
    const here = await found(await open(kim))
    for (let at = 1; at < most; at++) await open(kim)
    await users.change(kim.id, { password: 'another horse' }, from)
    const user = await stores.people.findActive(kim.id)
    const token = await sessions.renew({ ...here, user: user ?? kim })
    await open(user ?? kim)
    t.ok(await isLive(token ?? ''), 'the renewed session is not the oldest')
  })

  t.test('one session can be ended, or all others', async (t) => {
    const kim = await somebody()
    const tokens = [await open(kim), await open(kim), await open(kim)]
    const [here, other] = [await found(tokens[0] ?? ''), await found(tokens[1] ?? '')]
    t.equal(await sessions.endOne({ userId: kim.id, id: other.id }, from), true)
    t.equal(await sessions.endOne({ userId: kim.id, id: other.id }, from), false)
    t.same(await Promise.all(tokens.map(isLive)), [true, false, true])
    t.equal(await sessions.endAll({ userId: kim.id, except: here.id }, from), 1)
    t.same(await Promise.all(tokens.map(isLive)), [true, false, false])
  })

  t.test('an ended session is not renewed', async (t) => {
    const kim = await somebody()
    const token = await open(kim)
    const session = await found(token)
    await sessions.end(token)
    t.equal(await sessions.renew(session), null)
  })

  t.test('an earlier token ends the renewed session and is refused', async (t) => {
    const kim = await somebody()
    const first = await open(kim)
    const second = (await sessions.renew(await found(first))) ?? ''
    const third = (await sessions.renew(await found(second))) ?? ''
    t.ok(sessions.continues(first, third))
    t.notOk(sessions.continues(first, await open(kim)))
    t.same(await Promise.all([first, second, third].map(isLive)), [false, false, true])
    await sessions.end(first)
    t.equal(await isLive(third), false)
  })

  t.test('of a concurrent end and renewal the end wins', async (t) => {
    const kim = await somebody()
    for (let at = 0; at < 40; at++) {
      const token = await open(kim)
      const session = await found(token)
      const end = () => sessions.end(token)
      const renew = () => sessions.renew(session)
      const [renewed] = await Promise.all(
        at % 2 === 0 ? [renew(), end()] : [end().then(() => null), renew()].reverse(),
      )
      t.equal(await isLive(token), false)
      if (typeof renewed === 'string') t.equal(await isLive(renewed), false, `round ${at}`)
    }
    t.same(await sessions.list(kim.id), [])
  })

  t.test('removing a passkey ends the sessions that it opened', async (t) => {
    const kim = await somebody()
    const [key, other] = [await addPasskey(kim), await addPasskey(kim)]
    const tokens = [await open(kim, [key]), await open(kim, [other]), await open(kim)]
    await removePasskey(kim, key, null)
    t.same(await Promise.all(tokens.map(isLive)), [false, true, true])
    t.equal(await open(kim, [key]), '', 'it opens no session any more')
  })

  t.test(
    'the session that removes its passkey continues only with another credential',
    async (t) => {
      const kim = await somebody()
      const key = await addPasskey(kim)
      const [alone, both] = [await open(kim, [key]), await open(kim)]
      const session = await found(both)
      const confirmed =
        (await sessions.renew({
          ...session,
          methods: ['password', 'passkey'],
          passkeyIds: [key],
        })) ?? ''
      const { id } = await found(confirmed)
      await removePasskey(kim, key, id)
      t.match(await sessions.find(confirmed), { methods: ['password'], passkeyIds: [] })
      t.equal(await isLive(alone), false)
      const last = await addPasskey(kim)
      const token = await open(kim, [last])
      await removePasskey(kim, last, (await found(token)).id)
      t.equal(await isLive(token), false)
    },
  )

  t.test('a concurrent removal and sign-in with the passkey leaves no session', async (t) => {
    const kim = await somebody()
    for (let at = 0; at < 20; at++) {
      const key = await addPasskey(kim)
      const tokens = await Promise.all([
        open(kim, [key]),
        removePasskey(kim, key, null).then(() => ''),
        open(kim, [key]),
      ])
      for (const token of tokens) t.equal(await isLive(token), false)
    }
  })

  t.test('a removal by the operator ends them too', async (t) => {
    const kim = await somebody()
    const token = await open(kim, [await addPasskey(kim)])
    const other = await open(kim)
    await users.removePasskeys(kim.id, from)
    t.same([await isLive(token), await isLive(other)], [false, true])
  })

  t.test('an idle session expires, a used one does not', async (t) => {
    const kim = await somebody()
    const [token, unused] = [await open(kim), await open(kim)]
    const idle = sessionsWith(3600)
    const age = (id: string, by: string) =>
      sql(
        setup,
        `update sessions set last_seen_at = last_seen_at - interval '${by}' where id = '${id}'`,
      )
    const { id } = await found(token)
    await age((await found(unused)).id, '2 hours')
    await age(id, '50 minutes')
    t.ok(await idle.find(token), 'this use is recorded')
    t.equal(await idle.find(unused), null)
    t.same(
      (await idle.list(kim.id)).map((one) => one.id),
      [id],
    )
    const seenAt = async () => {
      const [row] = await sql<{ at: string }>(
        setup,
        `select last_seen_at::text as at from sessions where id = '${id}'`,
      )
      return row?.at
    }
    await idle.find(token)
    await stores.sessions.seen([id], 60)
    const at = await seenAt()
    for (let times = 0; times < 5; times++) await idle.find(token)
    await stores.sessions.seen([id], 60)
    t.equal(await seenAt(), at, 'once a minute')
    await age(id, '50 minutes')
    t.ok(await idle.find(token))
    t.ok(await sessions.find(unused), 'without an idle limit it stays valid')
  })
})
