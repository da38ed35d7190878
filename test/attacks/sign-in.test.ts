import { authorizeUrl, challengeOf, newVerifier } from '../support/flows.ts'
import type { Running } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { expectPage } from '../support/refused-page.ts'
import { filled, signedIn, signIn } from '../support/signed-in.ts'
import { dumpStores } from '../support/traces.ts'
import { createVisitor, formFields, mainForm, pageKind, type Visitor } from '../support/visitor.ts'
import { password } from '../support/world.ts'

const sessionName = 'latchkey_session'

const isSignedIn = async (visitor: Visitor) =>
  (await visitor.fetch(new URL('/account/apps', await originOf(visitor)))).status === 200

const origins = new WeakMap<Visitor, string>()
const originOf = async (visitor: Visitor) => origins.get(visitor) ?? ''
const visitorOf = ({ issuer }: Pick<Running, 'issuer'>) => {
  const visitor = createVisitor(issuer)
  origins.set(visitor, issuer)
  return visitor
}

await onEachBackend('sign-in', async (t, { running, issuer, world, stores }) => {
  const { ana, kim, confidential } = world
  const own = { email: ana.email, password: ana.password }

  t.test('UI-01 rejects login CSRF', async (t) => {
    const theirs = visitorOf(running)
    const theirPage = await theirs.get('/login')
    const foreignField = Object.fromEntries(formFields(mainForm(theirPage)))._csrf as string
    const attempts: [string, Record<string, string | null>, Record<string, string>][] = [
      ['no field', { _csrf: null }, {}],
      ['an empty field', { _csrf: '' }, {}],
      ['a made-up field', { _csrf: 'x' }, {}],
      ['the field of another browser', { _csrf: foreignField }, {}],
      ['a foreign Origin', {}, { origin: 'https://evil.example' }],
      ['an Origin that starts like Latchkey’s', {}, { origin: `${issuer}.evil.example` }],
      ['Latchkey’s origin with another scheme', {}, { origin: issuer.replace('http:', 'https:') }],
      ['Latchkey’s origin with another port', {}, { origin: `${issuer}1` }],
      ['an empty Origin', {}, { origin: ' ' }],
      ['from another site', {}, { 'sec-fetch-site': 'cross-site' }],
      ['from a sibling site', {}, { 'sec-fetch-site': 'same-site' }],
      ['no field, Latchkey’s origin', { _csrf: null }, { origin: issuer }],
      ['no field, Origin null', { _csrf: null }, { origin: 'null' }],
    ]
    for (const [label, fields, headers] of attempts) {
      const visitor = visitorOf(running)
      const page = await visitor.get('/login')
      const answer = await visitor.submit(page, { ...own, ...fields }, headers)
      t.equal(answer.status, 403, label)
      t.notOk(visitor.cookies.has(sessionName), `${label}: no session`)
    }
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
      const answer = await fetch(`${issuer}/login`, {
        method: 'POST',
        headers: { 'content-type': type },
        body: JSON.stringify({ ...own, _csrf: 'x' }),
      })
      t.ok(answer.status >= 400 && answer.status < 500, type)
      t.equal(answer.headers.getSetCookie().filter((line) => line.includes(sessionName)).length, 0)
    }
    const query = await fetch(`${issuer}/login?${new URLSearchParams(own)}`)
    t.equal(query.status, 200, 'GET does not sign in')
    t.notMatch(await query.text(), ana.password)
    for (const headers of [
      {},
      { origin: issuer },
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
    ]) {
      const visitor = visitorOf(running)
      const page = await visitor.get('/login')
      const answer = await visitor.submit(page, own, headers as Record<string, string>)
      t.equal(answer.status, 200)
      t.ok(await isSignedIn(visitor), 'as a browser sends it')
    }
  })

  t.test('UI-04 a sign-in replaces a planted session', async (t) => {
    const planted = 'lkss_planted0000000000000000000000000000000000'
    const visitor = visitorOf(running)
    visitor.cookies.set(sessionName, planted)
    await signIn(visitor, own)
    const token = visitor.cookies.get(sessionName)
    t.ok(token)
    t.not(token, planted, 'a new session id')
    const attacker = visitorOf(running)
    attacker.cookies.set(sessionName, planted)
    t.notOk(await isSignedIn(attacker), 'the planted session is not signed in')

    // A planted session of the attacker ends when the victim signs in with it.
    const mine = await signedIn(issuer, kim)
    origins.set(mine, issuer)
    const victim = visitorOf(running)
    victim.cookies.set(sessionName, mine.cookies.get(sessionName) as string)
    await victim.get('/logout').then((page) => victim.submit(page, {}))
    await signIn(victim, own)
    t.not(victim.cookies.get(sessionName), mine.cookies.get(sessionName))
    t.notOk(await isSignedIn(mine))

    const again = visitorOf(running)
    await signIn(again, own)
    t.not(again.cookies.get(sessionName), token, 'each sign-in has its own session')
    t.notMatch(
      await dumpStores(stores),
      token as string,
      'the store does not contain it in clear text',
    )
  })

  t.test('UI-04 a request belongs to the browser that began it', async (t) => {
    const url = authorizeUrl(issuer, confidential, {
      code_challenge: challengeOf(newVerifier()),
      prompt: 'consent',
    })
    const victim = await signedIn(issuer, ana)
    const attacker = await signedIn(issuer, kim)
    const page = await victim.get(url)
    t.equal(pageKind(page), 'decide')
    const path = page.url.pathname
    for (const visitor of [attacker, visitorOf(running)]) {
      for (const suffix of ['', '/current', '/legacy'])
        await expectPage(t, await visitor.fetch(`${issuer}${path}${suffix}`), 400, suffix)
    }
    const field = Object.fromEntries(formFields(mainForm(await attacker.get(url))))._csrf as string
    const posted = await attacker.fetch(issuer + path, {
      method: 'POST',
      body: new URLSearchParams({ _csrf: field, decision: 'approve' }),
    })
    t.equal(posted.status, 400)
    // The attacker planted the browser cookie, so both browsers know the request that the victim
    // approves.
    const browser = 'latchkey_browser'
    const theirs = await attacker.get(url)
    victim.cookies.set(browser, attacker.cookies.get(browser) as string)
    const seen = await victim.get(theirs.url)
    const form = filled(seen, { decision: 'approve' })
    const approved = await victim.fetch(seen.url, { method: 'POST', body: form })
    t.equal(approved.status, 303)
    const onward = new URL(approved.headers.get('location') ?? '', issuer)
    for (const visitor of [attacker, visitorOf(running)]) {
      visitor.cookies.set(browser, victim.cookies.get(browser) as string)
      const stolen = await visitor.fetch(onward)
      t.equal(stolen.headers.get('location'), null, 'the code is for the user who approved')
    }
    const own = await victim.fetch(onward)
    t.match(own.headers.get('location'), /[?&]code=/)
  })

  t.test('UI-10 never redirects with 307 or by script', async (t) => {
    const visitor = visitorOf(running)
    const page = await visitor.get('/login')
    const answer = await visitor.fetch(`${issuer}/login`, {
      method: 'POST',
      body: filled(page, own),
    })
    t.equal(answer.status, 303)
  })

  t.test('UI-14 redirects only to Latchkey’s own pages after a sign-in', async (t) => {
    const hostile = [
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '\\/evil.example',
      '\\\\evil.example',
      'https:evil.example',
      'https:/evil.example',
      'https://evil.example',
      'HTTPS://evil.example/login',
      `${issuer}@evil.example`,
      `${issuer}.evil.example`,
      'javascript:alert(1)',
      'data:text/html,x',
      'evil.example',
      '@evil.example',
      '/.//evil.example',
      '/..//evil.example',
      '/x/..//evil.example',
      '/./\\evil.example',
      '/%2e//evil.example',
      '/x/%2e%2e//evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      '/\r\n//evil.example',
      '/\0/evil.example',
      ' //evil.example',
      '\t//evil.example',
      '/\u2028/evil.example',
      '/\uff0fevil.example',
      '/a\r\nSet-Cookie: x=y',
      '%2f%2fevil.example',
      '/%2f%2fevil.example',
      '/%5cevil.example',
      '?//evil.example',
      '#//evil.example',
      '',
    ]
    const visitor = visitorOf(running)
    const expectOurs = (text: string | null | undefined, label: string) => {
      const target = text ?? ''
      t.equal(new URL(target, issuer).origin, issuer, `${label} to ${encodeURIComponent(target)}`)
      t.notMatch(target, /^[/\\]{2}|[\\\r\n\t]/, label)
    }
    for (const return_to of hostile) {
      const label = encodeURIComponent(return_to)
      visitor.cookies.clear()
      const shown = await visitor.get(`/login?${new URLSearchParams({ return_to })}`)
      t.equal(shown.status, 200, label)
      expectOurs(Object.fromEntries(formFields(mainForm(shown))).return_to, label)
      // The form field may be changed as well; this tries values that parsers read differently.
      if (!/^[/\\\s][^a]/.test(return_to)) continue
      const form = filled(shown, { ...own, return_to })
      const answer = await visitor.fetch(`${issuer}/login`, { method: 'POST', body: form })
      t.equal(answer.status, 303, label)
      expectOurs(answer.headers.get('location'), label)
      const out = await visitor.get(`/logout?${new URLSearchParams({ return_to })}`)
      expectOurs(Object.fromEntries(formFields(mainForm(out))).return_to, label)
    }
    for (const query of ['return_to=/a&return_to=//evil.example', 'return_to[]=//evil.example'])
      t.equal((await visitor.get(`/login?${query}`)).status, 200)
  })

  t.test('UI-16 a sign-out needs a POST and ends the session', async (t) => {
    const visitor = await signedIn(issuer, ana)
    origins.set(visitor, issuer)
    const token = visitor.cookies.get(sessionName) as string
    const page = await visitor.get('/logout')
    t.ok(await isSignedIn(visitor), 'GET shows a page only')
    const refused: [Record<string, string | null>, Record<string, string>][] = [
      [{ _csrf: null }, {}],
      [{ _csrf: 'x' }, {}],
      [{}, { origin: 'https://evil.example' }],
      [{}, { 'sec-fetch-site': 'cross-site' }],
    ]
    for (const [fields, headers] of refused) {
      t.equal((await visitor.submit(page, fields, headers)).status, 403)
      t.ok(await isSignedIn(visitor))
    }
    t.equal((await visitor.submit(page, {})).status, 200)
    t.notOk(visitor.cookies.has(sessionName))
    const replayed = visitorOf(running)
    replayed.cookies.set(sessionName, token)
    t.notOk(await isSignedIn(replayed), 'the old cookie is refused')
  })

  t.test('RFT-09 a new password or disabling a user ends every session', async (t) => {
    for (const change of [{ password: 'a new password, quite long' }, { disabled: true }]) {
      const email = `gone-${Object.keys(change)[0]}-${stores.name}@acme.test`
      const { body } = await running.operator('POST', '/users', { email, name: 'Gone', password })
      const sessions = [
        await signedIn(issuer, { email, password }),
        await signedIn(issuer, { email, password }),
      ]
      for (const one of sessions) {
        origins.set(one, issuer)
        t.ok(await isSignedIn(one))
      }
      await running.operator('PATCH', `/users/${body.id}`, change)
      for (const one of sessions) t.notOk(await isSignedIn(one))
      t.equal((await signIn(visitorOf(running), { email, password })).status, 401)
    }
  })

  t.test('INJ-01 hostile e-mail addresses and passwords cause no error', async (t) => {
    const odd = [
      "' or 1=1--",
      "'; select pg_sleep(5); --",
      '\0',
      `${ana.email}\0`,
      '*',
      '%',
      '{{7*7}}',
      '<%= 7*7 %>',
      '\ud83d\ude00'.repeat(100),
      `"><img src=x onerror=alert(1)>`,
      'x'.repeat(20_000),
    ]
    for (const [at, text] of odd.entries()) {
      const visitor = visitorOf(running)
      const answers = [
        await signIn(visitor, { email: text, password }),
        // A new account each time, to stay below the limits.
        await signIn(visitor, { email: `nobody${at}@acme.test`, password: text }),
      ]
      for (const { status, text: page } of answers) {
        t.equal(status, 401, JSON.stringify(text).slice(0, 40))
        t.notMatch(page, /<img src=x|value="49"|>49</)
      }
      t.notOk(visitor.cookies.has(sessionName))
    }
    const same = await Promise.all(
      [`nobody-${stores.name}@acme.test`, ana.email].map(async (email) => {
        const { text, status } = await signIn(visitorOf(running), { email, password: 'wrong' })
        const rest = text.replaceAll(email, '').replaceAll(/value="[^"]*"|req_[\w-]+/g, '')
        return `${status} ${rest}`
      }),
    )
    t.equal(same[0], same[1], 'unknown and wrong get the same answer')
  })
})
