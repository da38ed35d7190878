/** OpenID sign-in: the user's identity for apps that the operator allows to ask. */
import type { Test } from 'tap'
import { createVerifier } from '../../packages/verify/src/verify.ts'
import { outcomeOf } from '../packages/verify/scene.ts'
import { eventually } from '../support/eventually.ts'
import {
  authorizeUrl,
  challengeOf,
  claimsOf,
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyCode,
  legacyToken,
  newVerifier,
  post,
  refresh,
} from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import {
  everyScope,
  openidApp,
  signedByServer,
  userinfoAt,
  verifiedIdToken,
} from '../support/openid.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import {
  createVisitor,
  pageKind,
  type VisitedPage,
  type Visitor,
  walk,
} from '../support/visitor.ts'
import { currentPermissions, password, type TestApp } from '../support/world.ts'

const sentences = (page: VisitedPage) =>
  page.dom.querySelectorAll('.tick-words').map((one) => one.text.replaceAll(/\s+/g, ' ').trim())

await onEachBackend('OpenID sign-in', async (t, { running, issuer, world, stores }) => {
  const { operator } = running
  const { acme, ana, kim, zoe, legacy, confidential } = world
  const app = await openidApp(running, world)
  const nonce = 'a nonce of its own: 0123'

  const codeFor = (by: TestApp, scope: string, more: Record<string, string> = {}, who = ana) =>
    currentCode(running, by, { ...who, organizationId: acme }, { scope, nonce, ...more })
  const tokensFor = async (by = app, scope = everyScope, more = {}, who = ana): Promise<Json> => {
    const answer = await exchangeCode(issuer, by, await codeFor(by, scope, more, who))
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return answer.body
  }
  const ask = (by: TestApp, parameters: Record<string, string>) =>
    authorizeUrl(issuer, by, { code_challenge: challengeOf(newVerifier()), ...parameters })
  /** The response to an app without a page. */
  const silently = async (
    visitor: Visitor,
    parameters: Record<string, string>,
    by = app,
  ): Promise<URLSearchParams> => {
    const url = ask(by, { scope: 'openid', prompt: 'none', ...parameters })
    const response = await visitor.fetch(url)
    return new URL(response.headers.get('location') ?? '').searchParams
  }

  t.test('the code flow returns an ID token and userinfo of the signed-in user', async (t) => {
    const began = Math.floor(Date.now() / 1000)
    const tokens = await tokensFor()
    t.equal(tokens.scope, everyScope, 'the granted scope')
    const claims = await verifiedIdToken(issuer, app.client_id, tokens.id_token)
    t.match(claims, {
      iss: issuer,
      sub: ana.id,
      aud: app.client_id,
      nonce,
      amr: ['pwd'],
      organization_id: acme,
    })
    t.equal((claims.exp ?? 0) - (claims.iat ?? 0), 3600)
    t.ok(Number(claims.auth_time) >= began && Number(claims.auth_time) <= Number(claims.iat))
    t.equal(claims.acr, 'urn:latchkey:acr:password')
    for (const name of ['azp', 'name', 'email', 'permissions', 'scope', 'client_id'])
      t.notOk(name in claims, `no ${name}`)

    const access = claimsOf(tokens.access_token)
    t.equal(access.sub, claims.sub, 'the same subject in both')
    t.equal(access.scope, everyScope)
    t.same(access.permissions, currentPermissions, 'identity is no permission')

    const { body: user } = await operator('GET', `/users/${ana.id}`)
    const known = {
      sub: ana.id,
      organization_id: acme,
      name: user.name,
      email: ana.email,
      email_verified: false,
      updated_at: Math.floor(Date.parse(user.created_at) / 1000),
    }
    const answer = await userinfoAt(issuer, tokens.access_token)
    t.equal(answer.status, 200)
    t.same(answer.body, known)
    t.match(answer.headers.get('content-type'), /^application\/json/)
    t.equal(answer.headers.get('cache-control'), 'no-store')
    const posted = await userinfoAt(issuer, tokens.access_token, { method: 'POST' })
    t.same(posted.body, known)
    const body = new URLSearchParams({ access_token: tokens.access_token })
    const inBody = await userinfoAt(issuer, null, { method: 'POST', body })
    t.same(inBody.body, known, 'RFC 6750 §2.2')
  })

  t.test('response_type is required with openid (RFC 6749 §3.1.1)', async (t) => {
    const visitor = await signedIn(issuer, ana)
    await currentCode(running, app, ana, { scope: 'openid', organization_id: acme }, visitor)
    const requested = {
      client_id: app.client_id,
      redirect_uri: app.redirect_uri,
      state: 'the-state',
      code_challenge: challengeOf(newVerifier()),
      prompt: 'none',
    }
    const answered = async (parameters: Record<string, string>, method = 'GET') => {
      const pairs = new URLSearchParams({ ...requested, ...parameters })
      const answer =
        method === 'GET'
          ? await visitor.fetch(`${issuer}/authorize?${pairs}`)
          : await visitor.fetch(`${issuer}/authorize`, { method, body: pairs })
      return new URL(answer.headers.get('location') ?? '', issuer)
    }
    for (const scope of ['openid', 'openid email', 'records:create openid']) {
      for (const more of [{}, { response_type: '' }]) {
        for (const method of ['GET', 'POST']) {
          const left = await answered({ scope, ...more }, method)
          t.match(left.href, app.redirect_uri, scope)
          t.match(Object.fromEntries(left.searchParams), {
            error: 'invalid_request',
            state: 'the-state',
            iss: issuer,
          })
        }
      }
      const given = await answered({ scope, response_type: 'code' })
      t.not(given.searchParams.get('error'), 'invalid_request', scope)
    }
    for (const scope of ['records:create', 'openid2', 'OPENID'])
      t.not((await answered({ scope })).searchParams.get('error'), 'invalid_request', scope)

    const { prompt: _, ...pushed } = requested
    const push = (more: Record<string, string>) =>
      post(`${issuer}/api/oauth/par`, { ...pushed, client_secret: app.client_secret, ...more })
    const missing = await push({ scope: 'openid' })
    t.match(missing, { status: 400, body: { error: 'invalid_request' } })
    t.equal((await push({ scope: 'openid', response_type: 'code' })).status, 201)
    t.equal((await push({ scope: 'records:create' })).status, 201, 'without openid it means code')
  })

  t.test('returns only the claims of the requested scopes', async (t) => {
    for (const [scope, names] of [
      ['openid', []],
      ['openid profile', ['name', 'updated_at']],
      ['openid email', ['email', 'email_verified']],
    ] as const) {
      const tokens = await tokensFor(app, scope)
      t.equal(tokens.scope, scope)
      t.same(claimsOf(tokens.access_token).permissions, [])
      const { body } = await userinfoAt(issuer, tokens.access_token)
      t.same(Object.keys(body).sort(), ['organization_id', 'sub', ...names].sort(), scope)
    }
    const tokens = await tokensFor(app, 'openid phone address offline_access')
    t.equal(tokens.scope, 'openid', 'a scope without a meaning here is left out')
  })

  t.test('without openid the same app gets no identity', async (t) => {
    const code = await currentCode(running, app, ana, {
      nonce,
      max_age: '0',
      organization_id: acme,
    })
    const { body } = await exchangeCode(issuer, app, code)
    t.equal(body.scope, currentPermissions.join(' '))
    t.notOk('id_token' in body)
    const refused = await userinfoAt(issuer, body.access_token)
    t.equal(refused.status, 403)
    t.equal(refused.body.error, 'insufficient_scope')
    t.match(
      refused.headers.get('www-authenticate'),
      /^Bearer .*error="insufficient_scope".*scope="openid"/,
    )
    const still = await refresh(issuer, app, body.refresh_token, { scope: 'openid' })
    t.match(still, { status: 400, body: { error: 'invalid_scope' } }, 'nor later')
  })

  t.test('an app without permission cannot ask for identity', async (t) => {
    const visitor = await signedIn(issuer, ana)
    for (const scope of ['openid', 'openid email', 'profile', 'records:create openid']) {
      const heard = await silently(visitor, { scope }, confidential)
      t.match(heard.get('error'), 'invalid_scope', scope)
    }
    const code = await currentCode(running, confidential, ana, { organization_id: acme }, visitor)
    const requested = await exchangeCode(issuer, confidential, code, { scope: 'openid' })
    t.match(requested, { status: 400, body: { error: 'invalid_scope' } })
    const { body } = await exchangeCode(issuer, confidential, code)
    t.notOk('id_token' in body)
    t.equal((await userinfoAt(issuer, body.access_token)).status, 403)
    const old = await legacyCode(running, legacy, ana, { organization_id: acme })
    const fields = { grant_type: 'authorization_code', code: old.code }
    const legacyTokens = (await legacyToken(issuer, legacy, fields)).body
    t.equal((await userinfoAt(issuer, legacyTokens.access_token)).status, 403, 'nor a legacy app')
    const narrowed = await legacyToken(issuer, legacy, {
      grant_type: 'refresh_token',
      refresh_token: legacyTokens.refresh_token,
      scope: 'openid',
    })
    t.match(narrowed, { status: 400, body: { error: 'invalid_scope' } })
  })

  t.test('client_credentials has no user', async (t) => {
    const own = await clientCredentials(issuer, app, acme)
    t.equal(own.body.scope, currentPermissions.join(' '))
    t.notOk('id_token' in own.body)
    t.equal((await userinfoAt(issuer, own.body.access_token)).status, 403)
    const requested = await clientCredentials(issuer, app, acme, { scope: 'openid' })
    t.match(requested, { status: 400, body: { error: 'invalid_scope' } })
  })

  t.test('a refresh keeps the subject without a nonce, and can narrow but not widen', async (t) => {
    const first = await tokensFor(app, 'openid email records:create')
    const before = await verifiedIdToken(issuer, app.client_id, first.id_token)
    const second = (await refresh(issuer, app, first.refresh_token)).body
    t.equal(second.scope, 'openid email records:create')
    const claims = await verifiedIdToken(issuer, app.client_id, second.id_token)
    t.match(claims, { sub: before.sub, aud: before.aud, auth_time: before.auth_time })
    t.notOk('nonce' in claims, 'Core §12.2')
    t.not(claims.at_hash, before.at_hash, 'the ID token matches its own access token')

    const narrow = (await refresh(issuer, app, second.refresh_token, { scope: 'records:create' }))
      .body
    t.equal(narrow.scope, 'records:create')
    t.notOk('id_token' in narrow)
    t.equal((await userinfoAt(issuer, narrow.access_token)).status, 403)
    const half = (await refresh(issuer, app, narrow.refresh_token, { scope: 'openid' })).body
    t.same((await userinfoAt(issuer, half.access_token)).body, {
      sub: ana.id,
      organization_id: acme,
    })
    for (const scope of ['openid profile', 'openid records:update', 'email', 'openid readData']) {
      const refused = await refresh(issuer, app, half.refresh_token, { scope })
      t.match(refused, { status: 400, body: { error: 'invalid_scope' } }, scope)
    }
    const all = (await refresh(issuer, app, half.refresh_token)).body
    t.equal(all.scope, 'openid email records:create', 'the refresh token keeps the approved scope')
  })

  t.test('the exchange can narrow too', async (t) => {
    const code = await codeFor(app, everyScope)
    const narrow = await exchangeCode(issuer, app, code, { scope: 'openid profile' })
    t.equal(narrow.body.scope, 'openid profile')
    t.same(claimsOf(narrow.body.access_token).permissions, [])
    t.equal((await verifiedIdToken(issuer, app.client_id, narrow.body.id_token)).nonce, nonce)
  })

  t.test('the consent page lists the shared identity once', async (t) => {
    const own = await openidApp(running, world, { name: 'Directory' })
    const visitor = await signedIn(issuer, ana)
    const url = (scope: string) => ask(own, { scope })
    const first = await visitor.get(url('openid profile records:create'))
    t.equal(pageKind(first), 'decide')
    const words = sentences(first)
    t.match(words[0], 'Create records')
    t.match(words[1], /^Recognise you.*always included/)
    t.match(words[2], /^See your name personal data$/)
    t.notOk(words.some((one) => one.includes('e-mail')))
    t.match(words[3], 'Read everything')
    t.equal(first.dom.querySelectorAll('input[name="permissions"]').length, 1)
    t.ok((await visitor.submit(first, { decision: 'approve' })).left)

    t.ok((await visitor.get(url('openid profile records:create'))).left, 'remembered')
    t.ok((await visitor.get(url('openid'))).left, 'less')
    const more = await visitor.get(url('openid profile email records:create'))
    t.equal(pageKind(more), 'decide', 'more is asked for')
    const states = more.dom.querySelectorAll('.state').map((one) => one.text)
    t.same(states, ['New', 'Already approved'])
    t.match(
      more.text.replaceAll(/\s+/g, ' '),
      /New<.*See your e-mail address.*Already approved<.*See your name/,
    )
    t.ok((await visitor.submit(more, { decision: 'approve' })).left)

    const plain = await walk(visitor, url('records:create records:update'), ana)
    t.ok(plain.left, 'a request without identity scopes')
    t.ok((await visitor.get(url('openid email profile'))).left, 'it revokes nothing')

    const connected = await visitor.get('/account/apps')
    const panel = connected.dom
      .querySelectorAll('.connected .panel')
      .find((one) => one.text.includes('Directory'))
    t.match(panel?.text, /Recognise you/)
    t.match(panel?.text, /See your e-mail address/)
  })

  t.test('an admin who installs the app sees what it will ask users', async (t) => {
    const url = async (part: object, scope: string) => {
      const { body } = await operator('POST', '/apps', {
        name: 'Fresh',
        interface: 'current',
        client_type: 'confidential',
        redirect_uris: ['https://app.example/cb'],
        permissions: [],
        ...part,
      })
      return ask({ ...body, redirect_uri: 'https://app.example/cb' }, { scope })
    }
    const visitor = await signedIn(issuer, kim)
    const page = await visitor.get(await url({ openid: true }, 'openid email'))
    t.match(
      page.text,
      'asks each person, when they allow it, to share who they are, with their e-mail address.',
    )
    const plain = await visitor.get(
      await url({ permissions: ['records:create'] }, 'records:create'),
    )
    t.notMatch(plain.text, 'share who they are')
  })

  t.test('a denial shares nothing', async (t) => {
    const own = await openidApp(running, world, { name: 'Denied' })
    const visitor = await signedIn(issuer, ana)
    const page = await walk(visitor, ask(own, { scope: 'openid' }), { ...ana, decision: 'deny' })
    t.equal(page.left?.searchParams.get('error'), 'access_denied')
    t.equal((await silently(visitor, {}, own)).get('error'), 'interaction_required')
  })

  t.test('prompt=none, max_age and prompt=login follow the specification', async (t) => {
    const { visitor } = await codeFor(app, 'openid')
    t.ok((await silently(visitor, {})).get('code'))
    t.ok((await silently(visitor, { max_age: '3600' })).get('code'))
    t.equal((await silently(visitor, { max_age: '0' })).get('error'), 'login_required')
    await eventually(
      async () => (await silently(visitor, { max_age: '1' })).get('error') === 'login_required',
    )
    for (const max_age of ['-1', 'x', '1.5', '1e3', ' 1', '99999999999'])
      t.equal((await silently(visitor, { max_age })).get('error'), 'invalid_request', max_age)
    const stranger = await signedIn(issuer, zoe)
    const absent = await silently(stranger, {})
    t.equal(absent.get('error'), 'interaction_required', 'not installed there')
    const nowhere = await silently(stranger, { organization_id: acme })
    t.equal(
      nowhere.get('error'),
      'interaction_required',
      'an organization of which she is not a member',
    )

    for (const parameters of [{ max_age: '0' }, { prompt: 'login' }]) {
      const since = Math.floor(Date.now() / 1000)
      const page = await visitor.get(ask(app, { scope: 'openid', ...parameters }))
      t.equal(pageKind(page), 'sign-in', JSON.stringify(parameters))
      const again = await currentCode(
        running,
        app,
        ana,
        { scope: 'openid', organization_id: acme, ...parameters },
        visitor,
      )
      const { body } = await exchangeCode(issuer, app, again)
      const { auth_time } = await verifiedIdToken(issuer, app.client_id, body.id_token)
      t.ok(Number(auth_time) >= since, 'the app can see it')
    }
  })

  t.test('id_token_hint requires that user', async (t) => {
    const { id_token } = await tokensFor(app, 'openid')
    const hint = { id_token_hint: id_token }
    const { visitor } = await codeFor(app, 'openid')
    t.ok((await silently(visitor, hint)).get('code'))
    const other = (await codeFor(app, 'openid', {}, kim)).visitor
    t.equal((await silently(other, hint)).get('error'), 'login_required')

    const page = await other.get(ask(app, { scope: 'openid', ...hint }))
    t.equal(pageKind(page), 'sign-in', 'another user is asked to sign in')
    const wrong = await other.submit(page, { email: kim.email, password })
    t.equal(
      wrong.left?.searchParams.get('error'),
      'login_required',
      'the other user stays signed in',
    )
    const right = await walk(other, ask(app, { scope: 'openid', ...hint }), ana)
    t.ok(right.left?.searchParams.get('code'), 'unless it is the hinted user')

    const foreign = await openidApp(running, world, { name: 'Foreign' })
    const claims = { iss: issuer, aud: app.client_id, sub: ana.id }
    const now = Math.floor(Date.now() / 1000)
    const cases: [string, string, TestApp?][] = [
      ['another client’s', id_token, foreign],
      ['an access token', (await tokensFor(app, 'openid')).access_token],
      ['of another type', await signedByServer(stores, { ...claims, exp: now + 60 }, 'at+jwt')],
      ['a damaged one', `${id_token.slice(0, -3)}AAA`],
      ['none', 'x'],
    ]
    for (const [what, id_token_hint, by] of cases) {
      const heard = await silently(visitor, { id_token_hint }, by)
      t.equal(heard.get('error'), 'invalid_request', what)
    }
    const good = await signedByServer(stores, { ...claims, exp: now + 60 })
    t.ok((await silently(visitor, { id_token_hint: good })).get('code'))
    const expired = await signedByServer(stores, { ...claims, exp: now - 3600 })
    t.ok((await silently(visitor, { id_token_hint: expired })).get('code'), 'a past session')
  })

  t.test('select_account beside organization_id: a choice, then the code', async (t) => {
    const parameters = { scope: 'openid', prompt: 'select_account', organization_id: acme }
    const pushed = async () => {
      const fields = Object.fromEntries(new URL(ask(app, parameters)).searchParams)
      const sent = await post(`${issuer}/api/oauth/par`, {
        ...fields,
        client_secret: app.client_secret,
      })
      const { request_uri } = sent.body
      return `${issuer}/authorize?${new URLSearchParams({ client_id: app.client_id, request_uri })}`
    }
    for (const url of [ask(app, parameters), await pushed()]) {
      const { visitor } = await codeFor(app, 'openid')
      const choice = await visitor.get(url)
      t.equal(pageKind(choice), 'choose-organization')
      const { left } = await visitor.submit(choice, { organization_id: acme })
      t.ok(left?.searchParams.get('code'))
    }
    const fresh = createVisitor(issuer)
    const signIn = await fresh.get(ask(app, parameters))
    const choice = await fresh.submit(signIn, { email: ana.email, password })
    t.equal(pageKind(choice), 'choose-organization')
    t.ok((await fresh.submit(choice, { organization_id: acme })).left?.searchParams.get('code'))
  })

  t.test('nonce is returned unchanged', async (t) => {
    const visitor = await signedIn(issuer, ana)
    for (const bad of ['\0', 'a\nb', 'é', 'x'.repeat(513)])
      t.equal(
        (await silently(visitor, { nonce: bad })).get('error'),
        'invalid_request',
        bad.slice(0, 9),
      )
    const twice = await visitor.fetch(`${ask(app, { scope: 'openid', nonce: 'a' })}&nonce=b`)
    t.match(twice.headers.get('location'), 'error=invalid_request')
    for (const good of ['x'.repeat(512), `"'<>&%{}\\ ~`]) {
      const tokens = await tokensFor(app, 'openid', { nonce: good })
      t.equal(claimsOf(tokens.id_token).nonce, good)
    }
    const code = await currentCode(running, app, ana, { scope: 'openid', organization_id: acme })
    t.notOk('nonce' in claimsOf((await exchangeCode(issuer, app, code)).body.id_token))
  })

  t.test('optional features are ignored or refused with their error code', async (t) => {
    const { visitor } = await codeFor(app, 'openid')
    const ignored = {
      acr_values: 'phr urn:x',
      claims: '{"id_token":{"email":{"essential":true}}}',
      display: 'popup',
      ui_locales: 'fr',
      login_hint: ana.email,
    }
    const heard = await silently(visitor, ignored)
    t.ok(heard.get('code'))
    t.equal(heard.get('iss'), issuer, 'RFC 9207')
    const request = { request: 'eyJhbGciOiJub25lIn0.e30.' }
    t.equal((await silently(visitor, request)).get('error'), 'request_not_supported')
    for (const response_type of ['id_token', 'code id_token', 'id_token token'])
      t.equal(
        (await silently(visitor, { response_type })).get('error'),
        'unsupported_response_type',
        response_type,
      )
  })

  t.test('a pushed request (RFC 9126) carries nonce, max_age and the hint', async (t) => {
    const { visitor } = await codeFor(app, 'openid')
    const push = async (fields: Record<string, string>) => {
      const verifier = newVerifier()
      const pushed = await post(`${issuer}/api/oauth/par`, {
        client_id: app.client_id,
        client_secret: app.client_secret,
        redirect_uri: app.redirect_uri,
        code_challenge: challengeOf(verifier),
        response_type: 'code',
        scope: 'openid',
        ...fields,
      })
      return { ...pushed, verifier }
    }
    const use = async ({ request_uri }: Json) => {
      const query = new URLSearchParams({ client_id: app.client_id, request_uri })
      const response = await visitor.fetch(`${issuer}/authorize?${query}&nonce=other`)
      return new URL(response.headers.get('location') ?? '', issuer)
    }
    const { body, verifier } = await push({ nonce: 'pushed', prompt: 'none' })
    const code = (await use(body)).searchParams.get('code') ?? ''
    const tokens = (await exchangeCode(issuer, app, { code, verifier })).body
    t.equal(claimsOf(tokens.id_token).nonce, 'pushed')
    const old = await use((await push({ max_age: '0', prompt: 'none' })).body)
    t.equal(old.searchParams.get('error'), 'login_required')
    const bad = await push({ id_token_hint: 'x' })
    t.match(bad, { status: 400, body: { error: 'invalid_request' } })
  })

  const endings: [
    string,
    (tokens: Json, own: TestApp) => Promise<unknown>,
    () => Promise<unknown>,
  ][] = [
    [
      'revoked',
      (tokens, own) =>
        post(`${issuer}/api/oauth/revoke`, {
          token: tokens.access_token,
          client_id: own.client_id,
          client_secret: own.client_secret,
        }),
      async () => undefined,
    ],
    [
      'suspended',
      (_, own) =>
        operator('PATCH', `/organizations/${acme}/installs/${own.client_id}`, { suspended: true }),
      async () => undefined,
    ],
    [
      'uninstalled',
      (_, own) => operator('DELETE', `/organizations/${acme}/installs/${own.client_id}`),
      async () => undefined,
    ],
    [
      'the app is disabled',
      (_, own) => operator('PATCH', `/apps/${own.client_id}`, { disabled: true }),
      async () => undefined,
    ],
    [
      'the user is disabled',
      () => operator('PATCH', `/users/${ana.id}`, { disabled: true }),
      () => operator('PATCH', `/users/${ana.id}`, { disabled: false }),
    ],
    [
      'the user has left',
      () => operator('DELETE', `/organizations/${acme}/members/${ana.id}`),
      () => operator('PUT', `/organizations/${acme}/members/${ana.id}`, { role: 'member' }),
    ],
  ]
  t.test('revoked access ends userinfo at the next request', async (t) => {
    for (const [what, end, mend] of endings) {
      const own = await openidApp(running, world, { name: what })
      const tokens = await tokensFor(own, 'openid')
      t.equal((await userinfoAt(issuer, tokens.access_token)).status, 200)
      await end(tokens, own)
      const refused = await userinfoAt(issuer, tokens.access_token)
      t.match(refused, { status: 401, body: { error: 'invalid_token' } }, what)
      t.match(refused.headers.get('www-authenticate'), /^Bearer .*error="invalid_token"/)
      await mend()
    }
    const own = await openidApp(running, world, { name: 'Not any more' })
    const tokens = await tokensFor(own, everyScope)
    await operator('PATCH', `/apps/${own.client_id}`, { openid: false })
    t.equal(
      (await userinfoAt(issuer, tokens.access_token)).status,
      403,
      'the operator removes the permission',
    )
    const next = (await refresh(issuer, own, tokens.refresh_token)).body
    t.equal(next.scope, currentPermissions.join(' '), 'other permissions stay')
    t.notOk('id_token' in next)
    await operator('PATCH', `/apps/${own.client_id}`, { openid: true })
    const again = (await refresh(issuer, own, next.refresh_token)).body
    t.equal(again.scope, everyScope, 'the consent is kept')
  })

  t.test('userinfo accepts a token in the header or the form', async (t) => {
    const { access_token: token } = await tokensFor(app, 'openid')
    const form = (fields: Record<string, string>) => ({
      method: 'POST',
      body: new URLSearchParams(fields),
    })
    const none = await userinfoAt(issuer, null)
    t.equal(none.status, 401)
    const kinds = /^Bearer realm="latchkey", DPoP realm="latchkey", algs="[\w ]+"$/
    t.match(none.headers.get('www-authenticate'), kinds, 'RFC 6750 §3, RFC 9449 §7.1')
    const query = await fetch(`${issuer}/userinfo?access_token=${token}`)
    t.equal(query.status, 401, 'never in the query')
    const two = await userinfoAt(issuer, token, form({ access_token: token }))
    t.match(two, { status: 400, body: { error: 'invalid_request' } })
    const json = await userinfoAt(issuer, null, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ access_token: token }),
    })
    t.equal(json.status, 400)
    for (const authorization of ['Basic YTpi', 'Bearer', `Token ${token}`, `Bearer ${token} x`]) {
      const odd = await userinfoAt(issuer, null, { headers: { authorization } })
      t.equal(odd.status, 401, authorization.slice(0, 10))
    }
    const lower = await userinfoAt(issuer, null, { headers: { authorization: `bearer ${token}` } })
    t.equal(lower.status, 200, 'RFC 9110 §11.1: the scheme is case-insensitive')
    for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD'])
      t.equal((await fetch(`${issuer}/userinfo`, { method })).status, 405, method)
  })

  t.test('only pages of a public app’s own origin may read userinfo', async (t) => {
    const spa = await openidApp(running, world, {
      name: 'Single page',
      client_type: 'public',
      redirect_uris: ['https://wiki.example/cb'],
    })
    const { access_token: token } = await tokensFor(spa, 'openid')
    const from = (origin: string, bearer: string | null, method = 'GET') =>
      userinfoAt(issuer, bearer, { method, headers: { origin } })
    const allowed = (answer: { headers: Headers }) =>
      answer.headers.get('access-control-allow-origin')
    const own = 'https://wiki.example'
    t.equal(allowed(await from(own, token)), own)
    t.match((await from(own, token)).headers.get('vary'), /origin/i)
    const refused = await from(own, 'x')
    t.equal(refused.status, 401)
    t.equal(allowed(refused), own, 'the page can read the error too')
    t.match(refused.headers.get('access-control-expose-headers'), /www-authenticate/i)
    for (const origin of ['https://app.example', 'https://evil.example', 'null'])
      t.equal(allowed(await from(origin, token)), null, origin)
    const preflight = await from(own, null, 'OPTIONS')
    t.equal(preflight.status, 204)
    t.equal(allowed(preflight), own)
    t.match(preflight.headers.get('access-control-allow-headers'), /authorization/)
    t.equal(allowed(await from('https://evil.example', null, 'OPTIONS')), null)
  })

  t.test('an ID token is refused wherever an access token is needed', async (t) => {
    const tokens = await tokensFor()
    const resourceServer = await registerResourceServer(running)
    const verifier = createVerifier({ issuer, audience: issuer, resourceServer })
    const forItsApp = createVerifier({ issuer, audience: app.client_id, resourceServer })
    t.teardown(() => Promise.all([verifier.close(), forItsApp.close()]))
    t.equal(await outcomeOf(verifier.verify(tokens.access_token)), 'user')
    t.equal(await outcomeOf(verifier.verify(tokens.id_token)), 'token-invalid: header')
    t.equal(
      await outcomeOf(forItsApp.verify(tokens.id_token)),
      'token-invalid: header',
      'not even where the audience is the app',
    )
    const inspected = await introspectAt(issuer, resourceServer, tokens.id_token)
    t.same(inspected.body, { active: false })
    t.equal((await userinfoAt(issuer, tokens.id_token)).status, 401)
    const told = await operator('POST', '/tokens/inspect', { token: tokens.id_token })
    t.match(told.body, { accepted: false, refused: 'id_token', token: null })
    const active = await introspectAt(issuer, resourceServer, tokens.access_token)
    t.match(active.body, { active: true, scope: everyScope, permissions: currentPermissions })
    const kept = await introspectAt(issuer, resourceServer, tokens.refresh_token)
    t.match(kept.body, { active: true, scope: everyScope, permissions: currentPermissions })
    const seen = await operator('POST', '/tokens/inspect', { token: tokens.access_token })
    t.same(seen.body.token.openid_scopes, ['openid', 'profile', 'email'])
  })

  const verified = async (who: { id: string }): Promise<boolean> =>
    (await operator('GET', `/users/${who.id}`)).body.email_verified

  t.test(
    'an e-mail address counts as verified only for the address that was verified',
    async (t) => {
      const { access_token: token } = await tokensFor(app, 'openid email', {}, kim)
      const told = async () => (await userinfoAt(issuer, token)).body
      const change = (body: object) => operator('PATCH', `/users/${kim.id}`, body)
      t.match(await told(), { email: kim.email, email_verified: false })
      await change({ email_verified: true })
      t.match(await told(), { email: kim.email, email_verified: true })
      await change({ name: 'Kim Okafor' })
      t.equal(await verified(kim), true)
      await change({ email: `new.${kim.email}` })
      t.match(await told(), { email: `new.${kim.email}`, email_verified: false })
      await change({ email: kim.email, email_verified: true })
      t.match(await told(), { email: kim.email, email_verified: true })
      await change({ email_verified: false })
      t.equal((await told()).email_verified, false)
    },
  )

  t.test('the audit trail records the shared scopes', async (t) => {
    const own = await openidApp(running, world, { name: 'Traced' })
    await tokensFor(own, 'openid email')
    const { body } = await operator('GET', `/audit?client_id=${own.client_id}&type=consent.granted`)
    t.match(body.items[0].detail, { openid_scopes: ['openid', 'email'], permissions: [] })
    const made = await operator('GET', `/audit?client_id=${own.client_id}&type=app.created`)
    t.match(made.body.items[0].detail, { openid: true })
  })

  const parallel = async (t: Test) => {
    const code = await codeFor(app, 'openid')
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => exchangeCode(issuer, app, code)),
    )
    const won = answers.filter(({ status }) => status === 200)
    t.equal(won.length, 1)
    t.equal(answers.filter(({ body }) => 'id_token' in body).length, 1)
  }
  t.test('of concurrent redemptions one gets an ID token', parallel)
})
