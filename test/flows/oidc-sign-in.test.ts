import t from 'tap'
import { eventually } from '../support/eventually.ts'
import {
  authorizeUrl,
  challengeOf,
  claimsOf,
  currentCode,
  exchangeCode,
  newVerifier,
} from '../support/flows.ts'
import { type Json, type Running, startLatchkey } from '../support/latchkey.ts'
import { openidApp } from '../support/openid.ts'
import { createOpenidProvider, providerClient } from '../support/openid-provider.ts'
import { testStores } from '../support/stores.ts'
import {
  createVisitor,
  pageKind,
  type VisitedPage,
  type Visitor,
  walk,
} from '../support/visitor.ts'
import { createWorld, password } from '../support/world.ts'

const environmentOf = (issuer: string): NodeJS.ProcessEnv => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: providerClient.id,
  OIDC_CLIENT_SECRET: providerClient.secret,
})

const linkOf = (page: VisitedPage) => {
  const href = page.dom.querySelector('a[href^="/login/oidc"]')?.getAttribute('href')
  if (!href) throw new Error(`no way to the provider on ${page.url.href}`)
  return href.replaceAll('&amp;', '&')
}

/** The URL to which a sign-in page sends the browser. */
const outOf = async (visitor: Visitor, page: VisitedPage) => {
  const { left, status, text } = await visitor.get(linkOf(page))
  if (!left) throw new Error(`not sent to the provider: ${status} ${text.slice(0, 300)}`)
  return left
}

const eventsNow = async (running: Running, type: string, userId: string) => {
  const { body } = await running.operator('GET', `/audit?type=${type}&limit=100`)
  return body.items.filter((one: { user_id: string }) => one.user_id === userId) as Json[]
}

/** The events as soon as there are any. */
const events = async (running: Running, type: string, userId: string) => {
  await eventually(async () => (await eventsNow(running, type, userId)).length > 0)
  return eventsNow(running, type, userId)
}

const emailOn = (page: VisitedPage) => page.dom.querySelector('header .who')?.text

for (const stores of await testStores()) {
  t.test(`sign-in through the platform's provider (${stores.name})`, async (t) => {
    const provider = await createOpenidProvider()
    const running = await startLatchkey(stores, { environment: environmentOf(provider.issuer) })
    t.teardown(async () => {
      await provider.stop()
      await running.stop()
      await stores.drop()
    })
    const { issuer } = running
    const callback = `${issuer}/login/callback`
    const world = await createWorld(running)

    const userByEmail = async (email: string) => {
      const { body } = await running.operator('GET', `/users?email=${encodeURIComponent(email)}`)
      return body.items[0] ?? null
    }
    /** The whole sign-in, from the sign-in page to its target. */
    const signIn = async (
      subject: string,
      { visitor = createVisitor(issuer), at = provider.visitor(), path = '/account/apps' } = {},
    ) => {
      const out = await outOf(visitor, await visitor.get(path))
      const back = await provider.answer(at, out, subject)
      return { page: await visitor.get(back), visitor, at, back, out }
    }

    t.test('a provider that is down does not block other ways to sign in', async (t) => {
      const visitor = createVisitor(issuer)
      const page = await visitor.get('/login')
      t.equal(page.status, 200)
      const away = await visitor.get(linkOf(page))
      t.equal(away.status, 503)
      t.ok(Number(away.headers.get('retry-after')) > 0)
      t.match(away.text, 'does not respond')
      t.equal(pageKind(away), 'sign-in', 'the password form is shown')
      const by = await visitor.submit(away, { email: world.ana.email, password })
      t.equal(by.status, 200)
      await provider.start([callback])
      t.ok(await outOf(visitor, await visitor.get('/login')), 'used again as soon as it is back')
    })

    t.test('another site cannot start a sign-in without the user noticing', async (t) => {
      for (const destination of ['image', 'empty', 'iframe']) {
        const answer = await fetch(`${running.issuer}/login/oidc`, {
          redirect: 'manual',
          headers: { 'sec-fetch-dest': destination },
        })
        t.equal(answer.status, 403, destination)
        t.match(answer.headers.get('content-type'), 'text/html')
      }
      const headers = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }
      const answer = await fetch(`${running.issuer}/login/oidc`, { redirect: 'manual', headers })
      t.equal(answer.status, 303)
    })

    t.test('the request has state, nonce and PKCE', async (t) => {
      const visitor = createVisitor(issuer)
      const out = await outOf(visitor, await visitor.get('/login'))
      t.match(Object.fromEntries(out.searchParams), {
        response_type: 'code',
        client_id: providerClient.id,
        redirect_uri: callback,
        scope: 'openid profile email',
        code_challenge_method: 'S256',
      })
      for (const name of ['state', 'nonce', 'code_challenge']) {
        t.ok((out.searchParams.get(name) ?? '').length >= 43, name)
      }
      t.notOk(out.searchParams.has('prompt'))
    })

    t.test('a new user gets an account, and a returning user has the same one', async (t) => {
      provider.accounts.set('new', { email: 'Nia@New.test', email_verified: true, name: 'Nia' })
      const { page } = await signIn('new')
      t.equal(page.status, 200)
      t.equal(page.url.pathname, '/account/apps', 'the page that the user wanted')
      t.equal(emailOn(page), 'nia@new.test')
      const user = await userByEmail('nia@new.test')
      t.match(user, { name: 'Nia', disabled: false })
      t.match(await events(running, 'user.created', user.id), [
        { actor: { kind: 'user', id: user.id }, detail: { by: 'oidc', issuer: provider.issuer } },
      ])
      t.match(await events(running, 'session.signed_in', user.id), [{ detail: { method: 'oidc' } }])

      provider.accounts.set('new', { email: 'nia@later.test', email_verified: true, name: 'Nia B' })
      const later = await signIn('new')
      t.equal(emailOn(later.page), 'nia@later.test')
      t.match(await userByEmail('nia@later.test'), { id: user.id, name: 'Nia B' })
      t.equal(await userByEmail('nia@new.test'), null)
      const [changed] = await events(running, 'user.changed', user.id)
      t.same(changed.detail, { changed: ['email', 'name'], by: 'oidc' })
    })

    t.test('a verified address links an existing account, once', async (t) => {
      const { ana } = world
      provider.accounts.set('ana', { email: ana.email.toUpperCase(), email_verified: true })
      t.equal(emailOn((await signIn('ana')).page), ana.email)
      t.match(await events(running, 'identity.linked', ana.id), [
        { detail: { issuer: provider.issuer } },
      ])
      const byPassword = await walk(createVisitor(issuer), `${issuer}/login`, ana)
      t.equal(byPassword.status, 200, 'the password is still valid')

      provider.accounts.set('ana-2', { email: ana.email, email_verified: true })
      const { page } = await signIn('ana-2')
      t.equal(page.status, 403, 'the provider gave the address to another user')
      t.match(page.text, 'belongs to another account')
    })

    t.test('an unverified address does not sign in', async (t) => {
      const { kim } = world
      const unverified = [false, 'yes', 'true', 1, { value: true }, null].map((email_verified) => ({
        email_verified,
      }))
      for (const claims of [...unverified, {}]) {
        provider.accounts.set('mallory', { email: kim.email, name: 'Mallory', ...claims })
        const { page, visitor } = await signIn('mallory')
        t.equal(page.status, 403)
        t.match(page.text, 'not verified')
        t.equal((await visitor.get('/account/apps')).url.pathname, '/login')
      }
      t.match(await userByEmail(kim.email), { id: kim.id })
      t.same((await userByEmail('mallory@new.test')) ?? null, null)
      provider.accounts.set('nameless', { name: 'No Address' })
      const { page } = await signIn('nameless')
      t.equal(page.status, 403)
      t.match(page.text, 'Your e-mail address is missing')
    })

    t.test('OID-09 claims of the ID token and of userinfo are never combined', async (t) => {
      const { kim } = world
      const eve = { email: 'eve-9@new.test', name: 'Eve' }
      const verified = { email_verified: true }
      type Claims = Record<string, unknown>
      const rows: [what: string, idToken: Claims, userinfo: Claims][] = [
        ['address here, verified there', { email: kim.email }, { ...verified, name: 'Eve' }],
        ['address there, verified here', verified, { email: kim.email, name: 'Eve' }],
        ['two addresses', { email: kim.email }, { ...eve, email_verified: false }],
        [
          'the unverified address is asked for last',
          { ...eve, ...verified, name: undefined },
          { email: kim.email },
        ],
        ['only userinfo is complete', { ...eve, email_verified: false }, { email: kim.email }],
        [
          'the ID token is complete',
          { email: kim.email, name: 'Eve' },
          { email: kim.email, ...verified },
        ],
        [
          'false in the ID token, true in userinfo',
          { email: kim.email, email_verified: false },
          { email: kim.email, ...verified },
        ],
      ]
      for (const [what, idToken, userinfo] of rows) {
        const subject = `mixed: ${what}`
        provider.idTokens.set(subject, idToken)
        provider.accounts.set(subject, userinfo)
        const { page, visitor } = await signIn(subject)
        t.not(emailOn(page), kim.email, what)
        t.equal(page.status, 403, what)
        t.equal((await visitor.get('/account/apps')).url.pathname, '/login', what)
      }
      t.same(await eventsNow(running, 'identity.linked', kim.id), [])
    })

    t.test('OID-09 userinfo of another subject is refused', async (t) => {
      const claims = { email: world.kim.email, email_verified: true, name: 'Kim' }
      provider.accounts.set('swapped', { ...claims, sub: 'kim' })
      const { page } = await signIn('swapped')
      t.equal(page.status, 400)
      t.match(page.text, 'sent an invalid answer')
    })

    t.test('either document is enough by itself', async (t) => {
      const claims = { email: 'whole@new.test', email_verified: true, name: 'Whole' }
      provider.idTokens.set('by-id-token', claims)
      t.equal(emailOn((await signIn('by-id-token')).page), 'whole@new.test')
      provider.accounts.set('by-userinfo', { ...claims, email: 'whole-2@new.test' })
      t.equal(emailOn((await signIn('by-userinfo')).page), 'whole-2@new.test')
      const partial = { email: 'whole-3@new.test', email_verified: true }
      provider.idTokens.set('no-address-in-userinfo', partial)
      provider.accounts.set('no-address-in-userinfo', { name: 'Not combined' })
      t.equal(emailOn((await signIn('no-address-in-userinfo')).page), 'whole-3@new.test')
    })

    t.test('an address with a look-alike letter links no account', async (t) => {
      const email = world.kim.email.replace('k', '\u212a')
      provider.accounts.set('kelvin', { email, email_verified: true, name: 'Kelvin' })
      const { page } = await signIn('kelvin')
      t.equal(page.status, 403)
    })

    t.test('a subject that cannot be stored is refused', async (t) => {
      for (const subject of ['nul\0', 'x'.repeat(256)]) {
        provider.accounts.set(subject, { email: 'nul@new.test', email_verified: true })
        const { page } = await signIn(subject)
        t.equal(page.status, 400)
        t.equal(pageKind(page), 'sign-in')
      }
      t.equal(await userByEmail('nul@new.test'), null)
    })

    t.test('an address of another account is not taken over', async (t) => {
      provider.accounts.set('mover', { email: 'mo@new.test', email_verified: true, name: 'Mo' })
      await signIn('mover')
      const { id } = await userByEmail('mo@new.test')
      provider.accounts.set('mover', { email: world.zoe.email, email_verified: true, name: 'Mo' })
      const { page } = await signIn('mover')
      t.equal(page.status, 200)
      t.equal(emailOn(page), 'mo@new.test')
      t.match(await userByEmail(world.zoe.email), { id: world.zoe.id })
      t.equal((await events(running, 'identity.email_conflict', id)).length, 1)
      provider.accounts.set('mover', { email: 'mo@evil.test', email_verified: false, name: 'Mo' })
      t.equal(emailOn((await signIn('mover')).page), 'mo@new.test', 'an unverified address neither')
    })

    t.test('only an address that the provider verified is passed on as verified', async (t) => {
      const isVerified = async (email: string) => (await userByEmail(email)).email_verified
      const claims = { email: 'vera@new.test', email_verified: true, name: 'Vera' }
      provider.accounts.set('vera', claims)
      await signIn('vera')
      t.equal(await isVerified('vera@new.test'), true)
      t.equal(await isVerified(world.ana.email), true, 'verified by the link')
      t.equal(await isVerified(world.kim.email), false, 'verified by no one')
      const { id } = await userByEmail('vera@new.test')
      await running.operator('PATCH', `/users/${id}`, { email: 'vera@moved.test' })
      t.equal(await isVerified('vera@moved.test'), false)
      await signIn('vera')
      t.equal(await isVerified('vera@new.test'), true)
      provider.accounts.set('vera', { ...claims, email: world.zoe.email })
      await signIn('vera')
      t.equal(
        await isVerified('vera@new.test'),
        false,
        'the provider now vouches for another address',
      )
      t.equal(await isVerified(world.zoe.email), false, 'which belongs to another user')
    })

    t.test('deceptive names are not adopted', async (t) => {
      const name = 'Mia \u202eelgooG'
      provider.accounts.set('mia', { email: 'mia@new.test', email_verified: true, name })
      t.equal((await signIn('mia')).page.status, 200)
      t.equal((await userByEmail('mia@new.test')).name, 'mia@new.test')
    })

    t.test('a disabled user gets an error page', async (t) => {
      provider.accounts.set('off', { email: 'off@new.test', email_verified: true })
      await signIn('off')
      const { id } = await userByEmail('off@new.test')
      await running.operator('PATCH', `/users/${id}`, { disabled: true })
      const { page, visitor } = await signIn('off')
      t.equal(page.status, 403)
      t.match(page.text, 'switched off')
      t.equal((await visitor.get('/account/apps')).url.pathname, '/login')
    })

    t.test('many concurrent first sign-ins create one account', async (t) => {
      provider.accounts.set('crowd', { email: 'crowd@new.test', email_verified: true })
      const backs = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const visitor = createVisitor(issuer)
          const out = await outOf(visitor, await visitor.get('/login'))
          return { visitor, back: await provider.answer(provider.visitor(), out, 'crowd') }
        }),
      )
      const pages = await Promise.all(backs.map(({ visitor, back }) => visitor.get(back)))
      t.same([...new Set(pages.map(({ status }) => status))], [200])
      const { id } = await userByEmail('crowd@new.test')
      t.equal((await events(running, 'user.created', id)).length, 1)
    })

    t.test('a response is accepted once, in the browser that asked', async (t) => {
      provider.accounts.set('eve', { email: 'eve@new.test', email_verified: true })
      const eve = createVisitor(issuer)
      const victim = createVisitor(issuer)
      await victim.get(linkOf(await victim.get('/login')))
      const back = await provider.answer(
        provider.visitor(),
        await outOf(eve, await eve.get('/login')),
        'eve',
      )
      const planted = await victim.get(back)
      t.equal(planted.status, 400, 'another browser')
      t.match(planted.text, 'another browser')
      t.equal((await victim.get('/account/apps')).url.pathname, '/login')
      t.equal((await eve.get(back)).status, 400, 'the planted response is consumed')

      const { visitor, back: used } = await signIn('eve')
      const session = [...visitor.cookies].find(([name]) => name.endsWith('_session'))
      t.equal((await visitor.get(used)).status, 400, 'a replay')
      t.same(
        [...visitor.cookies].find(([name]) => name.endsWith('_session')),
        session,
        'it changes nothing',
      )
      const { status } = await createVisitor(issuer).get(`${callback}?code=x&state=<script>`)
      t.equal(status, 400, 'no cookie, no state')
    })

    t.test('concurrent uses of one response create one session', async (t) => {
      const visitor = createVisitor(issuer)
      const out = await outOf(visitor, await visitor.get('/login'))
      const back = await provider.answer(provider.visitor(), out, 'eve')
      const answers = await Promise.all(Array.from({ length: 10 }, () => visitor.fetch(back)))
      t.equal(answers.filter(({ status }) => status === 303).length, 1)
    })

    t.test('a changed response is refused', async (t) => {
      const changes: [string, (url: URL) => void, (url: URL) => void][] = [
        ['nonce', (out) => out.searchParams.set('nonce', 'x'.repeat(43)), () => undefined],
        [
          'PKCE',
          (out) => out.searchParams.set('code_challenge', challengeOf(newVerifier())),
          () => undefined,
        ],
        ['code', () => undefined, (back) => back.searchParams.set('code', 'stolen')],
        ['issuer', () => undefined, (back) => back.searchParams.set('iss', 'https://evil.example')],
        ['no issuer', () => undefined, (back) => back.searchParams.delete('iss')],
        ['repeated', () => undefined, (back) => back.searchParams.append('code', 'another')],
      ]
      for (const [what, changeOut, changeBack] of changes) {
        const visitor = createVisitor(issuer)
        const out = await outOf(visitor, await visitor.get('/login'))
        changeOut(out)
        const back = await provider.answer(provider.visitor(), out, 'eve')
        changeBack(back)
        const page = await visitor.get(back)
        t.equal(page.status, 400, what)
        t.match(page.text, 'sent an invalid answer', what)
        t.equal((await visitor.get('/account/apps')).url.pathname, '/login', what)
      }
    })

    t.test('the code of one browser does not work in another sign-in', async (t) => {
      const [eve, victim] = [createVisitor(issuer), createVisitor(issuer)]
      const fromEve = await provider.answer(
        provider.visitor(),
        await outOf(eve, await eve.get('/login')),
        'eve',
      )
      const victims = await outOf(victim, await victim.get('/login'))
      fromEve.searchParams.set('state', victims.searchParams.get('state') ?? '')
      t.equal((await victim.get(fromEve)).status, 400)
    })

    t.test('a refusal of the provider is shown in Latchkey’s own words', async (t) => {
      const said = '<b>send your password to evil.example</b>'
      for (const [error, status] of [
        ['access_denied', 403],
        ['temporarily_unavailable', 503],
        ['server_error', 503],
        ['interaction_required', 400],
      ] as const) {
        const visitor = createVisitor(issuer)
        const out = await outOf(visitor, await visitor.get('/login?return_to=/account/apps'))
        const back = await provider.answer(provider.visitor(), out, { error, text: said })
        t.equal(back.searchParams.get('error'), error)
        const page = await visitor.get(back)
        t.equal(page.status, status, error)
        t.equal(pageKind(page), 'sign-in')
        t.notMatch(page.text, 'evil.example')
        t.notMatch(page.text, error)
        t.match(linkOf(page), 'account%2Fapps', 'the user can try again')
      }
    })

    t.test('a provider that fails during the sign-in causes an error page', async (t) => {
      const visitor = createVisitor(issuer)
      const out = await outOf(visitor, await visitor.get('/login'))
      const back = await provider.answer(provider.visitor(), out, 'eve')
      await provider.stop()
      t.equal((await visitor.get(back)).status, 503)
      await provider.start([callback])
      t.equal((await signIn('eve')).page.status, 200)
    })

    t.test('a new session replaces the previous one', async (t) => {
      const visitor = createVisitor(issuer)
      const page = await walk(visitor, `${issuer}/login`, world.zoe)
      t.equal(page.status, 200)
      const before = new Map(visitor.cookies)
      await signIn('eve', { visitor, path: '/login' })
      const old = createVisitor(issuer)
      for (const [name, value] of before) old.cookies.set(name, value)
      t.equal((await old.get('/account/apps')).url.pathname, '/login', 'the old session is ended')
    })

    t.test('redirects only to Latchkey’s own paths', async (t) => {
      for (const elsewhere of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
        const path = `/login?return_to=${encodeURIComponent(elsewhere)}`
        const { page } = await signIn('eve', { path })
        t.same([page.left, page.url.pathname], [null, '/'], elsewhere)
      }
    })

    t.test('an app that asks for a fresh sign-in gets one', async (t) => {
      provider.accounts.set('kim', { email: world.kim.email, email_verified: true })
      const visitor = createVisitor(issuer)
      const at = provider.visitor()
      await signIn('kim', { visitor, at })
      const url = (parameters: Record<string, string>) =>
        authorizeUrl(issuer, world.confidential, {
          code_challenge: challengeOf(newVerifier()),
          ...parameters,
        })
      t.not(
        pageKind(await visitor.get(url({}))),
        'sign-in',
        'an existing session is enough otherwise',
      )

      const requested = await visitor.get(url({ prompt: 'login', login_hint: 'kim@hint.test' }))
      t.equal(pageKind(requested), 'sign-in')
      const out = await outOf(visitor, requested)
      t.match(Object.fromEntries(out.searchParams), {
        prompt: 'login',
        max_age: '0',
        login_hint: 'kim@hint.test',
      })
      const back = await provider.answer(at, out, 'kim')
      t.equal(pageKind(await visitor.get(back)), 'decide', 'continues to the consent page')

      // The user can remove the demand from the address, and the provider's own session is old.
      const again = await visitor.get(url({ prompt: 'login' }))
      const weakened = await outOf(visitor, again)
      weakened.searchParams.delete('prompt')
      weakened.searchParams.delete('max_age')
      for (const [key, one] of provider.kept) {
        if (key.startsWith('Session:') && one.loginTs) one.loginTs -= 600
      }
      const silent = await provider.answer(at, weakened, 'kim')
      const refused = await visitor.get(silent)
      t.equal(refused.status, 403)
      t.match(refused.text, 'did not ask you to')
      t.equal(
        pageKind(await visitor.get(again.url)),
        'sign-in',
        'the app’s request is still pending',
      )

      // A sign-in for another purpose does not count as fresh either.
      const other = await signIn('kim', { visitor, at, path: '/login' })
      t.equal(other.page.status, 200)
      t.equal(pageKind(await visitor.get(url({ prompt: 'login' }))), 'sign-in')
      const plain = await createVisitor(issuer).get('/login?return_to=/account/passkeys')
      t.notMatch(new URL(linkOf(plain), issuer).search, 'again')
    })

    t.test('max_age and id_token_hint of an OpenID app ask for a fresh sign-in too', async (t) => {
      const app = await openidApp(running, world)
      const requested = { scope: 'openid', organization_id: world.acme }
      const first = await currentCode(running, app, world.ana, requested)
      const { id_token } = (await exchangeCode(issuer, app, first)).body
      for (const more of [{ max_age: '3600' }, { id_token_hint: id_token as string }]) {
        const visitor = createVisitor(issuer)
        const challenge = { code_challenge: challengeOf(newVerifier()) }
        const url = authorizeUrl(issuer, app, { ...requested, ...challenge, ...more })
        const out = await outOf(visitor, await visitor.get(url))
        t.match(Object.fromEntries(out.searchParams), { prompt: 'login', max_age: '0' })
      }
      const plain = createVisitor(issuer)
      const challenge = { code_challenge: challengeOf(newVerifier()) }
      const page = await plain.get(authorizeUrl(issuer, app, { ...requested, ...challenge }))
      t.notOk((await outOf(plain, page)).searchParams.has('max_age'))
    })

    t.test('amr and auth_time of an upstream sign-in are passed on if known', async (t) => {
      const app = await openidApp(running, world, { name: 'Elsewhere' })
      const { visitor } = await signIn('ana')
      const requested = { scope: 'openid', organization_id: world.acme }
      const code = await currentCode(running, app, world.ana, requested, visitor)
      const claims = claimsOf((await exchangeCode(issuer, app, code)).body.id_token)
      t.equal(claims.sub, world.ana.id)
      t.notOk('amr' in claims, 'the methods of the provider are unknown')
    })

    t.test('"not you?" lets the user choose another account at the provider', async (t) => {
      const visitor = createVisitor(issuer)
      await signIn('eve', { visitor })
      const page = await visitor.get(
        authorizeUrl(issuer, world.confidential, { code_challenge: challengeOf(newVerifier()) }),
      )
      const form = page.dom.querySelector('form[action="/logout"]')
      t.ok(form)
      for (const one of page.dom.querySelectorAll('main form')) {
        if (one.getAttribute('action') !== '/logout') one.remove()
      }
      const signInPage = await visitor.submit(page, {})
      const out = await outOf(visitor, signInPage)
      t.equal(out.searchParams.get('prompt'), 'login')
      t.notOk(out.searchParams.has('max_age'))
    })

    t.test('the log contains no secret', async (t) => {
      const all = running.log.join('\n')
      for (const secret of [
        providerClient.secret,
        encodeURIComponent(providerClient.secret),
        'code_verifier',
        /eyJ[\w-]+\.eyJ/,
        'nia@new.test',
      ]) {
        t.notMatch(all, secret)
      }
      t.match(all, 'oidc_denied')
    })
  })

  t.test(`settings of the provider (${stores.name})`, async (t) => {
    const [own] = (await testStores()).filter(({ name }) => name === stores.name)
    if (!own) throw new Error('no such backend')
    const provider = await createOpenidProvider()
    const running = await startLatchkey(own, {
      environment: {
        ...environmentOf(provider.issuer),
        OIDC_ONLY: 'true',
        OIDC_CLAIM_EMAIL: 'mail',
        OIDC_CLAIM_NAME: 'nick',
        OIDC_BUTTON_LABEL: 'Go on with Acme ID',
        OIDC_REQUIRE_VERIFIED_EMAIL: 'false',
      },
    })
    t.teardown(async () => {
      await provider.stop()
      await running.stop()
      await own.drop()
    })
    const { issuer } = running
    await provider.start([`${issuer}/login/callback`])
    const world = await createWorld(running)

    t.test('with OIDC_ONLY the sign-in page has only the button', async (t) => {
      const visitor = createVisitor(issuer)
      const page = await visitor.get('/login')
      t.same(page.dom.querySelectorAll('main input, main form'), [])
      t.equal(page.dom.querySelector('a[href^="/login/oidc"]')?.text.trim(), 'Go on with Acme ID')
      const error = createVisitor(issuer)
      const csrf = (await error.get('/signed-out')).text
      t.ok(csrf)
      const response = await error.fetch(`${issuer}/login`, {
        method: 'POST',
        body: new URLSearchParams({ email: world.ana.email, password }),
      })
      t.equal(response.status, 403)
      for (const path of ['/account/password', '/account/confirm']) {
        t.equal((await visitor.get(path)).status, 404, path)
      }
    })

    t.test('reads the claims that the operator configured', async (t) => {
      provider.accounts.set('cy', { mail: 'cy@new.test', nick: 'Cy', name: 'Cyrus' })
      const visitor = createVisitor(issuer)
      const out = await outOf(visitor, await visitor.get('/login'))
      const page = await visitor.get(await provider.answer(provider.visitor(), out, 'cy'))
      t.equal(page.status, 200)
      const { body } = await running.operator('GET', '/users?email=cy@new.test')
      t.match(body.items, [{ name: 'Cy', email_verified: false }])
    })

    t.test('an unverified address never links, whatever the setting', async (t) => {
      for (const claims of [
        { mail: world.ana.email },
        { mail: world.ana.email, email: 'mallory@new.test', email_verified: true },
      ]) {
        provider.accounts.set('mallory', claims)
        const visitor = createVisitor(issuer)
        const out = await outOf(visitor, await visitor.get('/login'))
        const page = await visitor.get(await provider.answer(provider.visitor(), out, 'mallory'))
        t.equal(page.status, 403)
        t.match(page.text, 'belongs to another account')
      }
    })
  })
}
