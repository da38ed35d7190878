/**
 * Device authorization (RFC 8628): the user answers in a browser what a program on another device
 * asked.
 */
import type { Test } from 'tap'
import {
  answerDevice,
  beginDevice,
  createDeviceApp,
  deviceGrant,
  enterCode,
  poll,
} from '../support/device.ts'
import { eventually } from '../support/eventually.ts'
import { claimsOf, post, refresh, type TokenResponse } from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { openidApp } from '../support/openid.ts'
import { signedIn } from '../support/signed-in.ts'
import { amounts, expireAll } from '../support/traces.ts'
import { createVisitor, walk } from '../support/visitor.ts'
import { createApp, install, type TestApp } from '../support/world.ts'

const isError = (t: Test, answer: TokenResponse, error: string, status = 400) =>
  t.match(answer, { status, body: { error } })

await onEachBackend('a device', async (t, scene) => {
  const { running, issuer, world, stores } = scene
  const { acme, ana, kim, sales, confidential } = world
  const app = await createDeviceApp(running, world)

  t.test('a device polls and gets its tokens after the user approves', async (t) => {
    const begun = await beginDevice(issuer, app, { scope: 'records:create' })
    t.match(begun, {
      status: 200,
      body: {
        device_code: /^lkdc_/,
        user_code: /^[B-Z]{4}-[B-Z]{4}$/,
        verification_uri: `${issuer}/activate`,
        verification_uri_complete: `${issuer}/activate?user_code=${begun.body.user_code}`,
        expires_in: 600,
        interval: 5,
      },
    })
    t.equal(begun.headers.get('cache-control'), 'no-store')
    const { device_code: code, user_code: userCode } = begun.body
    isError(t, await poll(issuer, app, code), 'authorization_pending')

    const visitor = createVisitor(issuer)
    const signIn = await visitor.get(begun.body.verification_uri_complete)
    t.equal(signIn.url.pathname, '/login', 'a user who tries codes is signed in')
    const entry = await visitor.submit(signIn, { email: ana.email, password: ana.password })
    t.equal(entry.url.pathname, '/activate')
    t.equal(entry.dom.querySelector('#user_code')?.getAttribute('value'), userCode)
    t.match(entry.text, 'Only continue if you started this yourself')
    const consent = await visitor.submit(entry, {})
    t.match(consent.url.pathname, /^\/interaction\//)
    t.match(consent.text, 'started on another device')
    t.match(consent.text, userCode)
    t.match(consent.text, 'Terminal')
    t.match(consent.text, 'continue on your device')
    const done = await visitor.submit(consent, { decision: 'approve' })
    t.match(done.text, 'The device is connected')
    t.equal(done.left, null, 'no link leads anywhere')
    t.match((await visitor.get(done.url)).text, 'The device is connected', 'reloaded')

    const tokens = await poll(issuer, app, code)
    t.match(tokens, {
      status: 200,
      body: {
        access_token: /^ey/,
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_token: /^lkrt_/,
        scope: 'records:create',
        organization_id: acme,
      },
    })
    t.match(claimsOf(tokens.body.access_token), { sub: ana.id, client_id: app.client_id })
    t.equal((await refresh(issuer, app, tokens.body.refresh_token)).status, 200)
    t.match((await (await signedIn(issuer, ana)).get('/account/apps')).text, 'Terminal')
  })

  t.test('a device code is redeemed once, and a replay revokes the family', async (t) => {
    const { body } = await beginDevice(issuer, app)
    await answerDevice(running, ana, body.user_code)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => poll(issuer, app, body.device_code)),
    )
    const won = answers.filter(({ status }) => status === 200)
    t.equal(won.length, 1)
    t.ok(answers.every((one) => one.status === 200 || one.body.error === 'invalid_grant'))
    isError(t, await refresh(issuer, app, won[0]?.body.refresh_token), 'invalid_grant')
    isError(t, await poll(issuer, app, body.device_code), 'invalid_grant')
  })

  t.test('a denial is final, and the device gets access_denied', async (t) => {
    const { body } = await beginDevice(issuer, app)
    const page = await answerDevice(running, ana, body.user_code, 'deny')
    t.match(page.text, 'Access denied')
    isError(t, await poll(issuer, app, body.device_code), 'access_denied')
    isError(t, await poll(issuer, app, body.device_code), 'access_denied')
    const again = await enterCode(await signedIn(issuer, ana), body.user_code)
    t.match(again, { status: 400, text: /This code is not valid/ })
  })

  t.test('of two users with the same code, the first answer counts', async (t) => {
    const { body } = await beginDevice(issuer, app)
    const [one, other] = [await signedIn(issuer, ana), await signedIn(issuer, kim)]
    const [first, second] = [
      await enterCode(one, body.user_code),
      await enterCode(other, body.user_code),
    ]
    t.match((await one.submit(first, { decision: 'approve' })).text, 'The device is connected')
    t.match(
      (await other.submit(second, { decision: 'approve' })).text,
      'This code is no longer valid',
    )
    const tokens = await poll(issuer, app, body.device_code)
    t.equal(claimsOf(tokens.body.access_token).sub, ana.id)
    t.equal(
      (await refresh(issuer, app, tokens.body.refresh_token)).status,
      200,
      'a second answer changes nothing',
    )
  })

  t.test('a device that polls too often gets slow_down', async (t) => {
    const { body } = await beginDevice(issuer, app)
    isError(t, await poll(issuer, app, body.device_code), 'authorization_pending')
    const fast = await poll(issuer, app, body.device_code)
    isError(t, fast, 'slow_down')
    await answerDevice(running, ana, body.user_code)
    t.equal(
      (await poll(issuer, app, body.device_code)).status,
      200,
      'the token response is not delayed',
    )
  })

  t.test('a code that another user entered stays valid for the right one', async (t) => {
    const { body } = await beginDevice(issuer, app, { workspace_ids: world.finance })
    const visitor = await signedIn(issuer, kim)
    const page = await enterCode(visitor, body.user_code)
    t.match(page, { status: 403, text: /You cannot give this app what it asks for/ })
    t.match(page.text, 'Not you?')
    isError(t, await poll(issuer, app, body.device_code), 'authorization_pending')
    const out = await visitor.get(`/logout?return_to=${encodeURIComponent(page.url.pathname)}`)
    await running.operator('PUT', `/workspaces/${world.finance}/members/${ana.id}`)
    const signIn = await visitor.submit(out, {})
    const consent = await visitor.submit(signIn, { email: ana.email, password: ana.password })
    const done = await visitor.submit(consent, { decision: 'approve' })
    t.match(done.text, 'The device is connected')
    await running.operator('DELETE', `/workspaces/${world.finance}/members/${ana.id}`)
  })

  t.test('a device code expires after ten minutes', async (t) => {
    const { body } = await beginDevice(issuer, app)
    const visitor = await signedIn(issuer, ana)
    await expireAll(stores)
    isError(t, await poll(issuer, app, body.device_code), 'expired_token')
    t.not(visitor.cookies.size, 0)
    const page = await enterCode(await signedIn(issuer, ana), body.user_code)
    t.match(page, { status: 400, text: /This code is not valid/ })
  })

  t.test('a malformed user code is treated like an unknown one', async (t) => {
    const visitor = await signedIn(issuer, ana)
    for (const typed of ['', 'AEIO-UAEI', 'BCDF-GHJ', '1'.repeat(500)]) {
      const page = await enterCode(visitor, typed)
      t.match(page, { status: 400, text: /It has eight letters, such as BCDF-GHJK/ })
      t.notMatch(page.text, 'This code is not valid')
    }
  })

  t.test('a refused request consumes nothing', async (t) => {
    const { body } = await beginDevice(issuer, app)
    const { device_code: code } = body
    await answerDevice(running, ana, body.user_code)
    const other = await createDeviceApp(running, world, { name: 'Other' })
    const before = await amounts(stores)
    isError(t, await poll(issuer, other, code), 'invalid_grant')
    isError(t, await poll(issuer, app, `${code}x`), 'invalid_grant')
    isError(t, await poll(issuer, app, ''), 'invalid_request')
    isError(t, await poll(issuer, app, code, { client_secret: 'x' }), 'invalid_client', 401)
    isError(t, await poll(issuer, app, code, { scope: 'records:delete' }), 'invalid_scope')
    isError(t, await poll(issuer, app, code, { workspace_ids: world.finance }), 'invalid_scope')
    const asCode = { grant_type: 'authorization_code', code, code_verifier: 'v'.repeat(43) }
    const redirect_uri = app.redirect_uri
    isError(t, await poll(issuer, app, code, { ...asCode, redirect_uri }), 'invalid_grant')
    const asRefresh = { grant_type: 'refresh_token', refresh_token: code }
    isError(t, await poll(issuer, app, code, asRefresh), 'invalid_grant')
    t.same(await amounts(stores), before)
    const narrowed = await poll(issuer, app, code, { workspace_ids: sales })
    t.match(narrowed, { status: 200, body: { workspace_ids: [sales] } })
  })

  t.test('a pending code of another app reveals nothing', async (t) => {
    const { body } = await beginDevice(issuer, app)
    const other = await createDeviceApp(running, world, { name: 'Second' })
    isError(t, await poll(issuer, other, body.device_code), 'invalid_grant')
    isError(t, await poll(issuer, app, body.device_code), 'authorization_pending')
  })

  t.test('only apps with the operator’s permission may use the device flow', async (t) => {
    isError(t, await beginDevice(issuer, confidential), 'unauthorized_client')
    const { body } = await beginDevice(issuer, app)
    isError(t, await poll(issuer, confidential, body.device_code), 'unauthorized_client')
    isError(t, await beginDevice(issuer, { ...app, client_id: 'app0' }), 'invalid_client', 401)
    isError(t, await beginDevice(issuer, app, { scope: 'readData' }), 'invalid_scope')
    const beyond = { scope: 'records:create documents:read' }
    isError(t, await beginDevice(issuer, app, beyond), 'invalid_scope')
    isError(t, await beginDevice(issuer, app, { scope: ['a', 'b'] }), 'invalid_request')
    const legacy = await running.operator('POST', '/apps', {
      name: 'Old',
      interface: 'legacy',
      client_type: 'confidential',
      redirect_uris: ['https://old.example/cb'],
      permissions: [],
      device_flow: true,
    })
    t.match(legacy, { status: 400, body: { errors: [{ pointer: '/device_flow' }] } })
    await running.operator('PATCH', `/apps/${app.client_id}`, { device_flow: false })
    isError(t, await poll(issuer, app, body.device_code), 'unauthorized_client')
    await running.operator('PATCH', `/apps/${app.client_id}`, { device_flow: true })
    isError(t, await poll(issuer, app, body.device_code), 'authorization_pending')
  })

  t.test('a confidential app authenticates at both endpoints', async (t) => {
    const closed = await createDeviceApp(running, world, {
      name: 'Television',
      client_type: 'confidential',
      redirect_uris: ['https://tv.example/cb'],
    })
    const bare: TestApp = { ...closed, client_secret: '' }
    isError(t, await beginDevice(issuer, bare), 'invalid_client', 401)
    const { body } = await beginDevice(issuer, closed)
    await answerDevice(running, ana, body.user_code)
    isError(t, await poll(issuer, bare, body.device_code), 'invalid_client', 401)
    t.equal((await poll(issuer, closed, body.device_code)).status, 200)
  })

  t.test('an admin installs a missing app, and a member asks an admin', async (t) => {
    const fresh = await createApp(running, {
      name: 'Fresh',
      client_type: 'public',
      redirect_uris: ['http://127.0.0.1/cb'],
      device_flow: true,
    })
    const first = (await beginDevice(issuer, fresh)).body
    const member = await enterCode(await signedIn(issuer, ana), first.user_code)
    t.match(member.dom.querySelector('h1')?.text, 'Ask an admin to install Fresh in Acme')
    t.match(member.text, first.user_code)
    const admin = await signedIn(issuer, kim)
    const install = await enterCode(admin, first.user_code)
    t.match(install.dom.querySelector('h1')?.text, 'Install Fresh in Acme')
    t.match(install.text, first.user_code)
    const consent = await admin.submit(install, { decision: 'approve' })
    t.match((await admin.submit(consent, { decision: 'approve' })).text, 'The device is connected')
    t.equal((await poll(issuer, fresh, first.device_code)).status, 200)
  })

  t.test('consent is asked each time, whatever was approved before', async (t) => {
    for (let turn = 0; turn < 2; turn++) {
      const { body } = await beginDevice(issuer, app)
      const page = await enterCode(await signedIn(issuer, ana), body.user_code)
      t.match(page.text, 'started on another device', `turn ${turn}`)
      isError(t, await poll(issuer, app, body.device_code), 'authorization_pending')
    }
  })

  t.test('a user who loses access before the token request gives no tokens', async (t) => {
    const { body } = await beginDevice(issuer, app)
    await answerDevice(running, ana, body.user_code)
    const path = `/organizations/${acme}/installs/${app.client_id}`
    await running.operator('DELETE', path)
    isError(t, await poll(issuer, app, body.device_code), 'invalid_grant')
    await install(running, acme, app)
    isError(t, await poll(issuer, app, body.device_code), 'invalid_grant')
  })

  t.test('an OpenID app learns which user approved', async (t) => {
    const wiki = await openidApp(running, world)
    await running.operator('PATCH', `/apps/${wiki.client_id}`, { device_flow: true })
    const { body } = await beginDevice(issuer, wiki, { scope: 'openid email' })
    await answerDevice(running, ana, body.user_code)
    const tokens = await poll(issuer, wiki, body.device_code)
    t.match(tokens, { status: 200, body: { scope: 'openid email', id_token: /^ey/ } })
    t.match(claimsOf(tokens.body.id_token), { sub: ana.id, aud: wiki.client_id })
  })

  t.test('an answer from another browser or user is refused', async (t) => {
    const { body } = await beginDevice(issuer, app)
    const own = await signedIn(issuer, ana)
    const page = await enterCode(own, body.user_code)
    const foreign = await (await signedIn(issuer, kim)).get(page.url)
    t.equal(foreign.status, 400)
    const done = await own.fetch(`${page.url.href}/device`)
    t.equal(done.status, 400, 'no user has answered')
    const form = new URLSearchParams({ decision: 'approve' })
    const forged = await own.fetch(page.url, {
      method: 'POST',
      body: form,
      headers: { origin: 'https://evil.example' },
    })
    t.equal(forged.status, 403)
    const planted = await own.fetch(`${issuer}/activate`, {
      method: 'POST',
      body: new URLSearchParams({ user_code: body.user_code }),
    })
    t.equal(planted.status, 403, 'not a form of Latchkey')
    isError(t, await poll(issuer, app, body.device_code), 'authorization_pending')
  })

  t.test('text from the link is shown escaped and has no other effect', async (t) => {
    const browser = await signedIn(issuer, ana)
    for (const code of [
      '"><script>alert(1)</script>',
      "'%00",
      'x'.repeat(5000),
      '//evil.example',
    ]) {
      const page = await browser.get(`/activate?user_code=${encodeURIComponent(code)}`)
      t.equal(page.status, 200)
      t.notMatch(page.text, '<script>alert')
      t.match(page.headers.get('content-security-policy'), "form-action 'self'")
    }
    const signedOut = await createVisitor(issuer).fetch(
      `${issuer}/activate?user_code=//evil.example`,
    )
    t.match(signedOut.headers.get('location'), /\/login\?return_to=%2Factivate/)
  })

  t.test('the audit trail and the metrics record device flows', async (t) => {
    const { body } = await beginDevice(issuer, app)
    const pending = await poll(issuer, app, body.device_code)
    await answerDevice(running, ana, body.user_code)
    t.equal((await poll(issuer, app, body.device_code)).status, 200)
    const spent = await poll(issuer, app, body.device_code)
    const told = async ({ headers }: TokenResponse) => {
      const id = headers.get('x-request-id') ?? ''
      return (await running.operator('GET', `/audit?request_id=${id}`)).body.items as Json[]
    }
    // The trail is written every second, in the order of events.
    await eventually(async () => (await told(spent)).length > 0)
    const consents = await running.operator(
      'GET',
      `/audit?type=consent.granted&client_id=${app.client_id}`,
    )
    t.match(consents.body.items[0], { user_id: ana.id, organization_id: acme })
    t.same(await told(pending), [], 'authorization_pending is not a refusal')
  })

  t.test('the metadata announces the device flow (RFC 8628 §4)', async (t) => {
    const document = (await (
      await fetch(`${issuer}/.well-known/oauth-authorization-server`)
    ).json()) as Json
    t.equal(document.device_authorization_endpoint, `${issuer}/api/oauth/device_authorization`)
    t.ok(document.grant_types_supported.includes(deviceGrant))
    const get = await fetch(`${issuer}/api/oauth/device_authorization`)
    t.equal(get.status, 405)
    t.equal(get.headers.get('allow'), 'POST')
  })
})

await onEachBackend('guessing codes', async (t, { running, issuer, world }) => {
  const { ana, kim } = world
  const app = await createDeviceApp(running, world)
  const { body } = await beginDevice(issuer, app)
  const guesser = await signedIn(issuer, ana)
  for (let turn = 0; turn < 20; turn++) t.equal((await enterCode(guesser, 'BBBB-BBBB')).status, 400)
  t.equal((await enterCode(guesser, 'BBBB-BBBB')).status, 429)
  const right = await enterCode(guesser, body.user_code)
  t.equal(right.status, 429, 'not even the correct code')
  t.ok(Number(right.headers.get('retry-after')) > 0)
  const other = await signedIn(issuer, kim)
  t.match((await enterCode(other, body.user_code)).text, 'started on another device')
  const elsewhere = await createVisitor(issuer)
  const page = await walk(elsewhere, `${issuer}/account/apps`, ana)
  t.equal(page.status, 200, 'other pages stay open to the limited user')

  for (let turn = 0; turn < 22; turn++) {
    const mine = (await beginDevice(issuer, app)).body
    t.equal((await enterCode(other, mine.user_code)).status, 200, 'correct codes are not counted')
  }
})

await onEachBackend(
  'unlimited device requests',
  async (t, { running, issuer, world }) => {
    const open = await createDeviceApp(running, world)
    const closed = await createDeviceApp(running, world, {
      name: 'Television',
      client_type: 'confidential',
      redirect_uris: ['https://tv.example/cb'],
    })
    const statuses: number[] = []
    for (let turn = 0; turn < 7; turn++) statuses.push((await beginDevice(issuer, open)).status)
    t.same(statuses, [200, 200, 200, 200, 200, 429, 429])
    for (let turn = 0; turn < 7; turn++)
      t.equal(
        (await beginDevice(issuer, closed)).status,
        200,
        'a client with a secret has its own limit',
      )
    const empty = await post(`${issuer}/api/oauth/device_authorization`, {})
    t.equal(empty.status, 401)
  },
  { environment: { LIMIT_AUTHORIZATIONS: '5' } },
)
