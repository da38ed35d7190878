/** Revoked access, and sign-ins that end other sessions. */
import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { decide, wordsOf } from '../pages/organization-visit.ts'
import { authorizeUrl, challengeOf, newVerifier } from '../support/flows.ts'
import type { Running } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { createOpenidProvider, providerClient } from '../support/openid-provider.ts'
import { filled, signedIn, signIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'
import { createVisitor, pageKind, type VisitedPage, type Visitor } from '../support/visitor.ts'
import { createApp, password } from '../support/world.ts'

const sessionName = 'latchkey_session'
type Person = { email: string; password: string }
const from = (address: string) => ({ 'x-forwarded-for': address })
const isIn = async (visitor: Visitor) =>
  (await visitor.get('/account/apps')).url.pathname === '/account/apps'
/** A second tab: it shares the cookies at the start, and keeps new ones to itself. */
const tabOf = (origin: string, visitor: Visitor) => {
  const tab = createVisitor(origin)
  for (const [name, value] of visitor.cookies) tab.cookies.set(name, value)
  return tab
}

await onEachBackend(
  'sessions',
  async (t, { issuer, world, stores, running }) => {
    const { ana, kim, zoe, acme } = world
    /** Makes every sign-in one hour old. */
    const age = () =>
      sql(stores, 'update sessions set authenticated_at = authenticated_at - 3600000')
    const ids = async (userId: string) =>
      (
        await sql<{ id: string }>(stores, `select id from sessions where user_id = '${userId}'`)
      ).map(({ id }) => id)

    t.test('SES-01 a sign-out wins over a password change in another tab', async (t) => {
      let current = password
      for (let round = 0; round < 8; round++) {
        const next = `a new password, number ${round}`
        const first = await signedIn(issuer, { ...zoe, password: current })
        const [page, out] = [await first.get('/account/password'), await first.get('/logout')]
        const second = tabOf(issuer, first)
        const change = () => first.submit(page, { current_password: current, new_password: next })
        // A growing delay: the sign-out comes before, during and after the change.
        const leave = async () => {
          await new Promise((done) => setTimeout(done, round * 12))
          return second.submit(out, {})
        }
        await Promise.all([change(), leave()])
        t.notOk(await isIn(first), `round ${round}`)
        t.notOk(await isIn(second))
        t.same(await ids(zoe.id), [], 'no session remains')
        const again = createVisitor(issuer)
        await signIn(again, { ...zoe, password: next })
        // Otherwise the sign-out came before the change, which was refused.
        if (!(await isIn(again))) continue
        current = next
        await again.submit(await again.get('/logout'), {})
      }
    })

    t.test('SES-02 a user has a limited number of sessions; the oldest ends', async (t) => {
      const visitors: Visitor[] = []
      for (let at = 0; at < 5; at++) visitors.push(await signedIn(issuer, ana))
      t.same(await Promise.all(visitors.map(isIn)), [false, false, true, true, true])
      const { body } = await running.operator('GET', '/audit?type=session.ended')
      t.match(body.items, [{ user_id: ana.id, detail: { reason: 'too_many' } }])
    })

    t.test('SES-03 users see and end their own sessions only', async (t) => {
      const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' }
      const elsewhere = createVisitor(issuer)
      await signIn(elsewhere, kim, headers)
      const here = await signedIn(issuer, kim)
      const page = await here.get('/account/sessions')
      t.match(wordsOf(page), /Sessions.*This one.*Firefox on Windows 127\.0\.0\.1 · With password/)
      const [theirs] = await ids(ana.id)
      const foreign = await decide(here, page, 'end', {}, { session_id: theirs ?? '' })
      t.match(wordsOf(foreign), 'had already ended')
      t.ok((await ids(ana.id)).includes(theirs ?? ''))
      for (const made of ['', 'x', '..', '\0', 'ses'.repeat(60)])
        t.equal((await decide(here, page, 'end', {}, { session_id: made })).status, 200)
      t.ok(await isIn(elsewhere))
      t.match(wordsOf(await decide(here, page, 'end')), 'The session has ended')
      t.notOk(await isIn(elsewhere))
      const another = await signedIn(issuer, kim)
      await decide(here, await here.get('/account/sessions'), 'end_others')
      t.same([await isIn(another), await isIn(here)], [false, true])
      const forged = await here.fetch(`${issuer}/account/sessions`, {
        method: 'POST',
        body: new URLSearchParams({ decision: 'end_others' }),
      })
      t.equal(forged.status, 403, 'refused without the anti-forgery field')
    })

    t.test(
      'SES-04 an old sign-in cannot create or rotate key sets or install sensitive apps',
      async (t) => {
        const visitor = await signedIn(issuer, kim)
        const list = `/organizations/${acme}/keys`
        const count = async () =>
          (await running.operator('GET', `/organizations/${acme}/key-sets`)).body.items.length
        const before = await count()
        await age()
        const form = await visitor.get(`${list}/new?interface=current`)
        t.equal(form.status, 200, 'the page shows')
        const fields = {
          decision: 'create',
          name: 'Pipeline',
          description: 'Nightly',
          permissions: ['records:create'],
        }
        const requested = await visitor.submit(form, fields)
        t.equal(pageKind(requested), 'sign-in')
        t.equal(await count(), before)
        const back = await visitor.submit(requested, { email: kim.email, password: kim.password })
        t.match(back.url.pathname, `${list}/new`)
        const value = (name: string) =>
          back.dom.querySelector(`[name="${name}"]`)?.getAttribute('value') ??
          back.dom.querySelector(`[name="${name}"]`)?.text
        t.same(
          [value('name'), value('description')?.trim()],
          ['Pipeline', 'Nightly'],
          'the form is kept',
        )
        t.ok(back.dom.querySelector('input[value="records:create"]')?.hasAttribute('checked'))
        t.match((await visitor.submit(back, { decision: 'create' })).url.pathname, '/secret')
        t.equal(await count(), before + 1)

        await age()
        const keySets = await running.operator('GET', `/organizations/${acme}/key-sets`)
        const page = await visitor.get(`${list}/${keySets.body.items[0].id}/rotate`)
        const rotated = await decide(visitor, page, 'rotate')
        t.equal(pageKind(rotated), 'sign-in')

        const permissions = ['records:create', 'records:delete']
        const app = await createApp(running, { name: 'Careful', permissions })
        const url = authorizeUrl(issuer, app, {
          code_challenge: challengeOf(newVerifier()),
          organization_id: acme,
        })
        const install = await visitor.get(url)
        t.equal(pageKind(install), 'decide', 'the page shows')
        const stopped = await visitor.submit(install, { decision: 'approve' })
        t.equal(pageKind(stopped), 'sign-in')
        const harmless = await visitor.submit(install, {
          decision: 'approve',
          permissions: ['records:create'],
        })
        t.equal(pageKind(harmless), 'decide', 'insensitive changes need no new sign-in')
        const widen = await visitor.get(`/organizations/${acme}/apps/${app.client_id}/change`)
        const widened = await decide(visitor, widen, 'change', {}, { permissions })
        t.equal(pageKind(widened), 'sign-in', 'nor later')
        const { body } = await running.operator(
          'GET',
          `/organizations/${acme}/installs/${app.client_id}`,
        )
        t.same(body.permissions, ['records:create'])
      },
    )

    t.test('SES-03 the operator lists and ends sessions', async (t) => {
      const visitor = await signedIn(issuer, ana)
      const { body } = await running.operator('GET', `/users/${ana.id}/sessions`)
      t.match(body.items[0], { methods: ['password'], address: '127.0.0.1' })
      t.equal((await running.operator('DELETE', `/users/${ana.id}/sessions`)).status, 204)
      t.notOk(await isIn(visitor))
      t.same((await running.operator('GET', `/users/${ana.id}/sessions`)).body.items, [])
      for (const method of ['GET', 'DELETE'])
        t.equal((await running.operator(method, '/users/usr0/sessions')).status, 404)
    })

    t.test('SES-07 an idle session expires', async (t) => {
      const [visitor, used] = [await signedIn(issuer, ana), await signedIn(issuer, kim)]
      await sql(
        stores,
        `update sessions set last_seen_at = last_seen_at - interval '2 hours' where user_id = '${ana.id}'`,
      )
      t.same([await isIn(visitor), await isIn(used)], [false, true])
    })
  },
  { environment: { LIMIT_SESSIONS: '3', SESSION_IDLE_SECONDS: '3600' } },
)

const come = async (issuer: string, person: Person, address: string) => {
  const visitor = createVisitor(issuer)
  const page = await signIn(visitor, person, from(address))
  return { status: page.status, isIn: visitor.cookies.has(sessionName) }
}
/** A busy server may answer 503. The person tries again, so this is no lock-out. */
const comeAgain = async (issuer: string, person: Person, address: string) => {
  for (;;) {
    const answer = await come(issuer, person, address)
    if (answer.status !== 503) return answer
  }
}
const newcomer = async ({ operator }: Running): Promise<Person> => {
  const email = `n${randomUUID()}@acme.test`
  await operator('POST', '/users', { email, name: 'N', password })
  return { email, password }
}

await onEachBackend(
  'users behind one address',
  async (t, { issuer, world, running }) => {
    const { ana, kim, zoe } = world

    t.test('SES-06 correct passwords from one address do not lock others out', async (t) => {
      const honest = await newcomer(running)
      let isOver = false
      const statuses = new Set<number>()
      const attack = async (person: Person) => {
        while (!isOver) statuses.add((await come(issuer, person, '203.0.113.1')).status)
      }
      const attacks = [ana, kim, zoe].flatMap((one) => Array.from({ length: 8 }, () => attack(one)))
      const answers: boolean[] = []
      for (let at = 0; at < 6; at++)
        answers.push((await comeAgain(issuer, honest, '192.0.2.9')).isIn)
      isOver = true
      await Promise.all(attacks)
      t.same(answers, Array(6).fill(true))
      for (const status of statuses) t.ok([200, 503].includes(status), `${status}`)
    })
  },
  { environment: { TRUSTED_PROXIES: '127.0.0.1' } },
)

await onEachBackend(
  'sign-ins of one address',
  async (t, { issuer, running }) => {
    t.test('SES-06 successful sign-ins are limited for that address only', async (t) => {
      const person = await newcomer(running)
      const answers: number[] = []
      for (let at = 0; at < 8; at++)
        answers.push((await come(issuer, person, '203.0.113.7')).status)
      t.same(answers, [200, 200, 200, 200, 200, 429, 429, 429])
      t.ok((await come(issuer, person, '203.0.113.8')).isIn)
    })
  },
  { environment: { TRUSTED_PROXIES: '127.0.0.1', LIMIT_SIGN_INS: '5' } },
)

const provider = await createOpenidProvider()
provider.accounts.set('nia', { email: 'nia@new.test', email_verified: true, name: 'Nia' })

await onEachBackend(
  'after a sign-out',
  async (t, { issuer }) => {
    await provider.start([`${issuer}/login/callback`])
    t.teardown(provider.stop)
    const begin = async (visitor: Visitor, site?: string) => {
      const headers: Record<string, string> = site ? { 'sec-fetch-site': site } : {}
      const answer = await visitor.fetch(`${issuer}/login/oidc?return_to=/account/apps`, {
        headers,
      })
      const location = answer.headers.get('location')
      return location ? new URL(location) : null
    }
    const arrive = async (t: Test, visitor: Visitor, there: Visitor) => {
      const url = await begin(visitor, 'same-origin')
      await visitor.get(await provider.answer(there, url as URL, 'nia'))
      t.ok(await isIn(visitor))
    }
    const leave = async (visitor: Visitor): Promise<VisitedPage> =>
      visitor.submit(await visitor.get('/logout'), {})

    t.test(
      'SES-05 after a sign-out, another site’s link asks before a silent sign-in',
      async (t) => {
        const [visitor, there] = [createVisitor(issuer), provider.visitor()]
        t.ok(await begin(visitor, 'cross-site'), 'links work as usual without a sign-out')
        await arrive(t, visitor, there)
        await leave(visitor)
        for (const site of ['cross-site', 'same-site', 'none'])
          t.equal(await begin(visitor, site), null, `${site}: Latchkey’s own page first`)
        const silent = await begin(visitor)
        t.equal(silent?.searchParams.get('prompt'), 'login', 'the provider asks otherwise')
        const clicked = await begin(visitor, 'same-origin')
        t.equal(clicked?.searchParams.get('prompt'), null)
        await visitor.get(await provider.answer(there, clicked as URL, 'nia'))
        t.ok(await isIn(visitor))
        t.ok(await begin(visitor, 'cross-site'), 'a sign-in resets it')
      },
    )

    t.test(
      'SES-05 a sign-in that began before the sign-out does not complete after it',
      async (t) => {
        const [visitor, there] = [createVisitor(issuer), provider.visitor()]
        await arrive(t, visitor, there)
        const url = await begin(visitor, 'cross-site')
        const answer = await provider.answer(there, url as URL, 'nia')
        await leave(visitor)
        await visitor.get(answer)
        t.notOk(await isIn(visitor))
      },
    )

    t.test('SES-05 a session that was ended remotely does not return', async (t) => {
      const [visitor, other, there] = [
        createVisitor(issuer),
        createVisitor(issuer),
        provider.visitor(),
      ]
      await arrive(t, visitor, there)
      await arrive(t, other, there)
      await decide(other, await other.get('/account/sessions'), 'end_others')
      t.equal(await begin(visitor, 'cross-site'), null)
    })
  },
  {
    environment: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: providerClient.id,
      OIDC_CLIENT_SECRET: providerClient.secret,
    },
  },
)

await onEachBackend('notices of new credentials', async (t, { issuer, world, stores, running }) => {
  const { kim, ana, zoe, acme } = world
  const told = (page: VisitedPage) => page.dom.querySelector('.told')?.text.replaceAll(/\s+/g, ' ')
  const makeKeySet = async (visitor: Visitor, name: string) => {
    const form = await visitor.get(`/organizations/${acme}/keys/new?interface=current`)
    return visitor.submit(form, { decision: 'create', name })
  }

  t.test('SES-08 the next page of each admin shows a new key set', async (t) => {
    const thief = await signedIn(issuer, kim)
    t.equal(
      told(await makeKeySet(thief, 'Backdoor')),
      undefined,
      'the admin who created it sees no notice',
    )
    t.equal(told(await thief.get('/account/apps')), undefined)
    await thief.fetch(`${issuer}/account/notices`, {
      method: 'POST',
      body: filled(await thief.get('/account/password'), { through: '999999' }),
    })

    const owner = await signedIn(issuer, kim)
    const page = await owner.get('/')
    t.match(told(page), 'You created the key Backdoor of Acme')
    t.match(told(page), 'from 127.0.0.1')
    t.match(
      told(await owner.get(`/organizations/${acme}/keys`)),
      'Backdoor',
      'until it is dismissed',
    )
    for (const person of [ana, zoe])
      t.equal(told(await (await signedIn(issuer, person)).get('/')), undefined, 'no other user')
    const form = page.dom.querySelector('.told form')
    const body = new URLSearchParams(
      form
        ?.querySelectorAll('input')
        .map((one): [string, string] => [
          one.getAttribute('name') ?? '',
          one.getAttribute('value') ?? '',
        ]),
    )
    const answer = await owner.fetch(`${issuer}/account/notices`, { method: 'POST', body })
    t.equal(answer.headers.get('location'), '/')
    t.equal(told(await owner.get('/')), undefined)
  })

  t.test(
    'SES-08 an install is shown too, but not on a page of an authorization request',
    async (t) => {
      const thief = await signedIn(issuer, kim)
      const app = await createApp(running, { name: 'Exporter' })
      const url = authorizeUrl(issuer, app, {
        code_challenge: challengeOf(newVerifier()),
        organization_id: acme,
      })
      await thief.submit(await thief.get(url), { decision: 'approve' })
      const owner = await signedIn(issuer, kim)
      const consent = await owner.get(url)
      t.equal(pageKind(consent), 'decide')
      t.equal(told(consent), undefined)
      t.match(told(await owner.get('/account/apps')), 'You installed Exporter in Acme')
    },
  )

  t.test('SES-08 many notices of one kind leave room for others', async (t) => {
    const thief = await signedIn(issuer, kim)
    for (let at = 0; at < 22; at++) await makeKeySet(thief, `K${at}`)
    const rows = await sql<{ count: number }>(
      stores,
      `select count(*)::integer as count from security_notices where user_id = '${kim.id}' and type = 'key_set.created'`,
    )
    t.same(rows, [{ count: 20 }])
  })
})
