/** An app asks to sign its user out (OpenID Connect RP-Initiated Logout 1.0). */
import { eventually } from '../support/eventually.ts'
import { currentCode, exchangeCode } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { openidApp, signedByServer } from '../support/openid.ts'
import { signedIn } from '../support/signed-in.ts'
import {
  createVisitor,
  formFields,
  mainForm,
  type VisitedPage,
  type Visitor,
} from '../support/visitor.ts'
import type { TestApp } from '../support/world.ts'

const signedOutAt = 'https://app.example/signed-out'
const withQuery = 'https://app.example/out?from=latchkey'

await onEachBackend('a sign-out that an app asks for', async (t, scene) => {
  const { running, issuer, world, stores } = scene
  const { operator } = running
  const { acme, ana, kim, confidential } = world
  const uris = { post_logout_redirect_uris: [signedOutAt, withQuery] }
  const app = await openidApp(running, world, uris)

  const idTokenFor = async (who = ana, by: TestApp = app) => {
    const code = await currentCode(running, by, who, { scope: 'openid', organization_id: acme })
    return (await exchangeCode(issuer, by, code)).body.id_token as string
  }
  const ask = (parameters: Record<string, string>) =>
    `${issuer}/end-session?${new URLSearchParams(parameters)}`
  const isSignedIn = async (visitor: Visitor) =>
    (await visitor.get('/account/apps')).url.pathname === '/account/apps'
  const asks = (page: VisitedPage) =>
    page.dom.querySelector('form[action="/end-session/confirm"]') !== null
  const ended = async (userId: string) => {
    const { body } = await operator('GET', '/audit?type=session.signed_out&limit=100')
    return body.items.filter((one: { user_id: string }) => one.user_id === userId)
  }

  const idToken = await idTokenFor()

  t.test('the app’s own ID token signs out at once and returns to the app', async (t) => {
    for (const [uri, expected] of [
      [signedOutAt, `${signedOutAt}?state=a+b%26c`],
      [withQuery, `${withQuery}&state=a+b%26c`],
    ]) {
      const visitor = await signedIn(issuer, ana)
      const parameters = { id_token_hint: idToken, post_logout_redirect_uri: uri as string }
      const page = await visitor.get(ask({ ...parameters, state: 'a b&c' }))
      t.equal(page.left?.href, expected)
      t.equal(await isSignedIn(visitor), false)
    }
    const visitor = await signedIn(issuer, ana)
    const stays = await visitor.get(ask({ id_token_hint: idToken }))
    t.equal(stays.url.pathname, '/signed-out', 'without a redirect URI the user stays here')
    t.equal(await isSignedIn(visitor), false)
    const without = await signedIn(issuer, ana)
    const parameters = { id_token_hint: idToken, post_logout_redirect_uri: signedOutAt }
    const { left } = await without.get(ask({ ...parameters, client_id: app.client_id, state: '' }))
    t.equal(left?.href, signedOutAt, 'without state nothing is added')
    await eventually(async () => (await ended(ana.id)).length >= 3)
    t.match((await ended(ana.id))[0], { client_id: app.client_id, actor: { id: ana.id } })
  })

  t.test('accepts an expired ID token', async (t) => {
    const visitor = await signedIn(issuer, ana)
    const claims = { iss: issuer, aud: app.client_id, sub: ana.id, exp: 1000 }
    const id_token_hint = await signedByServer(stores, claims)
    const page = await visitor.get(ask({ id_token_hint, post_logout_redirect_uri: signedOutAt }))
    t.equal(page.left?.href, signedOutAt)
    t.equal(await isSignedIn(visitor), false)
  })

  t.test('accepts a form of the app’s page', async (t) => {
    const visitor = await signedIn(issuer, ana)
    const fields = { id_token_hint: idToken, post_logout_redirect_uri: signedOutAt, state: 's' }
    // A browser withholds its session cookie from another site's form, and sends it with the next
    // page.
    const sent = await fetch(`${issuer}/end-session`, {
      method: 'POST',
      body: new URLSearchParams({ ...fields, unknown: 'x' }),
      redirect: 'manual',
      headers: { origin: 'https://app.example' },
    })
    t.equal(sent.status, 303)
    const next = sent.headers.get('location') ?? ''
    t.notMatch(next, 'unknown')
    t.equal(await isSignedIn(visitor), true, 'the user is still signed in')
    t.equal((await visitor.get(next)).left?.href, `${signedOutAt}?state=s`)
    t.equal(await isSignedIn(visitor), false)
  })

  t.test('a form that is sent twice answers with where it led', async (t) => {
    const forms: [path: string, end: string][] = [
      ['/logout', '/signed-out'],
      ['/logout?return_to=/account/apps', '/login'],
      [new URL(ask({ client_id: app.client_id })).href.slice(issuer.length), '/signed-out'],
    ]
    for (const [path, end] of forms) {
      const visitor = await signedIn(issuer, ana)
      const page = await visitor.get(`${issuer}${path}`)
      for (const time of ['first', 'second']) {
        const answer = await visitor.submit(page, {})
        t.match(answer, { status: 200, url: { pathname: end } }, `${path}, ${time}`)
      }
    }
    const visitor = await signedIn(issuer, ana)
    const returning = {
      client_id: app.client_id,
      post_logout_redirect_uri: signedOutAt,
      state: 's',
    }
    const page = await visitor.get(ask(returning))
    for (const time of ['first', 'second'])
      t.equal((await visitor.submit(page, {})).left?.href, `${signedOutAt}?state=s`, time)
    const another = await signedIn(issuer, kim)
    const stale = await another.get(`${issuer}/logout`)
    await another.submit(stale, {})
    const back = await another.submit(await another.get(`${issuer}/login`), {
      email: kim.email,
      password: kim.password,
    })
    t.equal(back.url.pathname, '/')
    t.equal((await another.submit(stale, {})).status, 403, 'another session is not ended by it')
    t.equal(await isSignedIn(another), true)
  })

  t.test('asks the user if no matching ID token is sent', async (t) => {
    const foreign = await openidApp(running, world, { name: 'Foreign' })
    const cases: [string, Record<string, string>][] = [
      ['nothing', {}],
      ['a client only', { client_id: app.client_id }],
      ['somebody else’s', { id_token_hint: await idTokenFor(kim) }],
      ['rubbish', { id_token_hint: 'x' }],
      ['changed', { id_token_hint: `${idToken.slice(0, -4)}AAAA` }],
    ]
    for (const [what, parameters] of cases) {
      const visitor = await signedIn(issuer, ana)
      const page = await visitor.get(ask(parameters))
      t.equal(page.status, 200, what)
      t.ok(asks(page), what)
      t.match(page.text, ana.email)
      t.equal(await isSignedIn(visitor), true, what)
      const done = await visitor.submit(page, {})
      t.equal(done.url.pathname, '/signed-out', what)
      t.equal(await isSignedIn(visitor), false, what)
    }
    const visitor = await signedIn(issuer, ana)
    const named = await visitor.get(ask({ client_id: foreign.client_id }))
    t.match(named.dom.querySelector('.app-name')?.text, 'Foreign')
    const anonymous = await visitor.get(ask({}))
    t.notOk(anonymous.dom.querySelector('.app-name'))
  })

  t.test('after the question the user returns to the registered URI with the state', async (t) => {
    const visitor = await signedIn(issuer, ana)
    const parameters = { client_id: app.client_id, post_logout_redirect_uri: signedOutAt }
    const page = await visitor.get(ask({ ...parameters, state: '"><b>' }))
    t.ok(asks(page))
    t.match(page.text, 'You return to')
    t.match(page.text, 'app.example')
    t.notMatch(page.headers.get('content-security-policy'), 'form-action')
    t.notMatch(page.text, '<b>')
    const done = await visitor.submit(page, {})
    t.equal(done.left?.href, `${signedOutAt}?${new URLSearchParams({ state: '"><b>' })}`)
    t.equal(await isSignedIn(visitor), false)
  })

  t.test('accepts only its own confirmation form', async (t) => {
    const visitor = await signedIn(issuer, ana)
    const page = await visitor.get(ask({ client_id: app.client_id }))
    const fields = new URLSearchParams(formFields(mainForm(page)))
    const send = (body: URLSearchParams, headers = {}) =>
      visitor.fetch(`${issuer}/end-session/confirm`, { method: 'POST', body, headers })
    const bare = new URLSearchParams({ client_id: app.client_id })
    t.equal((await send(bare)).status, 403, 'without its field')
    const evil = { origin: 'https://evil.example' }
    t.equal((await send(fields, evil)).status, 403, 'from another site')
    fields.set('post_logout_redirect_uri', 'https://evil.example/')
    t.equal((await send(fields)).status, 400, 'to another place')
    fields.set('client_id', confidential.client_id)
    t.equal((await send(fields)).status, 400, 'for another app')
    t.equal(await isSignedIn(visitor), true)
  })

  t.test('never redirects to an unregistered URI', async (t) => {
    const addresses = [
      'https://evil.example/',
      `${signedOutAt}/`,
      `${signedOutAt}?x=1`,
      'https://app.example/SIGNED-OUT',
      'https://app.example.evil.example/signed-out',
      'https://app.example@evil.example/signed-out',
      '//evil.example',
      '/account/apps',
      app.redirect_uri,
      'javascript:alert(1)',
    ]
    for (const uri of addresses) {
      const visitor = await signedIn(issuer, ana)
      for (const proof of [{ id_token_hint: idToken }, { client_id: app.client_id }]) {
        const page = await visitor.get(ask({ ...proof, post_logout_redirect_uri: uri }))
        t.equal(page.status, 400, uri)
        t.equal(page.left, null)
        t.notMatch(page.text, 'evil')
      }
      t.equal(await isSignedIn(visitor), true, 'the app must fix its request first')
      const page = await visitor.get(ask({ post_logout_redirect_uri: uri }))
      t.ok(asks(page), 'no client is known, so the URI is ignored')
      t.equal((await visitor.submit(page, {})).url.pathname, '/signed-out')
    }
  })

  t.test('asks if the app is unknown or lacks permission', async (t) => {
    const visitor = await signedIn(issuer, ana)
    const off = await openidApp(running, world, { name: 'Off', ...uris })
    await operator('PATCH', `/apps/${off.client_id}`, { disabled: true })
    for (const client_id of [confidential.client_id, off.client_id, 'app000', '\0', '__proto__']) {
      const parameters = { client_id, post_logout_redirect_uri: signedOutAt }
      const page = await visitor.get(ask(parameters))
      t.equal(page.status, 400, client_id)
      t.equal(page.left, null)
    }
    const mixed = { id_token_hint: idToken, client_id: confidential.client_id }
    t.equal((await visitor.get(ask(mixed))).status, 400, 'a token of another client')
    t.equal((await visitor.get(`${ask({ state: 'a' })}&state=b`)).status, 400, 'twice')
    t.equal((await visitor.get(ask({ state: 'x'.repeat(4097) }))).status, 400)
    t.equal(await isSignedIn(visitor), true)
  })

  t.test('without a session the user is not asked', async (t) => {
    const hint = { id_token_hint: idToken, post_logout_redirect_uri: signedOutAt, state: 's' }
    const { left } = await createVisitor(issuer).get(ask(hint))
    t.equal(left?.href, `${signedOutAt}?state=s`, 'redirected to the app')
    const visitor = createVisitor(issuer)
    const parameters = { client_id: app.client_id, post_logout_redirect_uri: signedOutAt }
    const page = await visitor.get(ask(parameters))
    t.equal(page.left, null, 'a link alone redirects nowhere')
    t.equal(page.url.pathname, '/signed-out')
  })

  t.test('grants outlive a sign-out', async (t) => {
    const code = await currentCode(running, app, ana, { scope: 'openid', organization_id: acme })
    const { body } = await exchangeCode(issuer, app, code)
    const page = await code.visitor.get(ask({ id_token_hint: body.id_token }))
    t.equal(page.url.pathname, '/signed-out')
    const { status } = await fetch(`${issuer}/userinfo`, {
      headers: { authorization: `Bearer ${body.access_token}` },
    })
    t.equal(status, 200, 'the user revokes them under Connected apps')
  })
})
