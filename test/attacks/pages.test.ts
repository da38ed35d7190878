import {
  authorizeUrl,
  challengeOf,
  exchangeCode,
  legacyAuthorizeUrl,
  newVerifier,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { amounts } from '../support/traces.ts'
import {
  createVisitor,
  formFields,
  mainForm,
  pageKind,
  type VisitedPage,
} from '../support/visitor.ts'
import {
  createApp,
  currentPermissions,
  install,
  legacyPermissions,
  password,
} from '../support/world.ts'

const faultsOf = ({ headers, dom, url }: VisitedPage, redirectScheme = '') => {
  const policy = headers.get('content-security-policy') ?? ''
  const actions = /form-action ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? []
  const foreign = dom
    .querySelectorAll('[src], link[href]')
    .map((one) => one.getAttribute('src') ?? one.getAttribute('href') ?? '')
    .filter((address) => new URL(address, url).origin !== url.origin)
  return [
    !/default-src 'none'/.test(policy) && 'no default-src',
    !/frame-ancestors 'none'/.test(policy) && 'may be framed',
    !/base-uri 'none'/.test(policy) && 'no base-uri',
    /unsafe|script-src (?!'self')|\*(?!\.)/.test(policy) && `policy ${policy}`,
    !/img-src 'self' data:(;|$)/.test(policy) && 'images from elsewhere',
    actions.some((one) => one !== "'self'" && one !== redirectScheme) && `form-action ${actions}`,
    headers.get('x-frame-options') !== 'DENY' && 'no X-Frame-Options',
    headers.get('x-content-type-options') !== 'nosniff' && 'may be sniffed',
    headers.get('referrer-policy') !== 'no-referrer' && 'no Referrer-Policy',
    headers.get('cache-control') !== 'no-store' && `cache-control ${headers.get('cache-control')}`,
    !/^req_/.test(headers.get('x-request-id') ?? '') && 'no request id',
    headers.has('access-control-allow-origin') && 'readable from elsewhere',
    (headers.has('server') || headers.has('x-powered-by')) && 'names its software',
    foreign.length > 0 && `from elsewhere: ${foreign}`,
    dom.querySelectorAll('script:not([src]), style, [style], [onclick], [onerror], [onload]')
      .length > 0 && 'script or style in the page',
    dom
      .querySelectorAll('*')
      .some((one) => Object.keys(one.attributes).some((name) => /^on/i.test(name))) &&
      'an event handler',
  ].filter((one) => one !== false)
}

await onEachBackend('pages', async (t, { running, issuer, world, stores }) => {
  const { ana, kim, confidential, acme } = world
  const challenge = challengeOf(newVerifier())
  const ask = (app: typeof confidential, more = {}) =>
    authorizeUrl(issuer, app, { code_challenge: challenge, ...more })

  t.test('UI-03 UI-11 every page has the security headers and no inline script', async (t) => {
    const logo_uri = 'https://app.example/logo.png'
    const fresh = await createApp(running, { name: 'Fresh', logo_uri })
    await running.operator('PATCH', `/apps/${confidential.client_id}`, { logo_uri })
    const [visitor, admin, stranger] = [
      await signedIn(issuer, ana),
      await signedIn(issuer, kim),
      createVisitor(issuer),
    ]
    const redirect = new URL(confidential.redirect_uri).protocol
    const pages: Record<string, [VisitedPage, string?]> = {
      home: [await visitor.get('/')],
      'sign-in': [await stranger.get('/login')],
      'sign-in for an app': [await stranger.get(ask(confidential)), redirect],
      'wrong password': [
        await stranger.submit(await stranger.get('/login'), { email: 'x@y.z', password: 'x' }),
      ],
      consent: [await visitor.get(ask(confidential, { prompt: 'consent' })), redirect],
      'choose an organization': [
        await visitor.get(ask(confidential, { organization_id: 'x' })),
        redirect,
      ],
      install: [await admin.get(ask(fresh)), redirect],
      'ask an admin': [await visitor.get(ask(fresh)), redirect],
      'sign out': [await visitor.get('/logout')],
      'signed out': [await stranger.get('/signed-out')],
      'sign out for an app': [await visitor.get('/end-session')],
      'sign out for an unknown app': [await visitor.get('/end-session?client_id=x')],
      'connected apps': [await visitor.get('/account/apps')],
      'bad request': [await visitor.get('/authorize')],
      'bad legacy request': [await visitor.get('/oauth/authorize')],
      'expired request': [await visitor.get('/interaction/x')],
      'not found': [await visitor.get('/nowhere')],
      'not found below': [await visitor.get('/organizations/x/apps')],
      forbidden: [await visitor.submit(await visitor.get('/logout'), { _csrf: 'x' })],
    }
    for (const [label, [page, scheme]] of Object.entries(pages)) {
      t.ok(page.status < 500, `${label}: ${page.status}`)
      t.same(faultsOf(page, scheme), [], label)
    }
    t.equal(pageKind((pages.consent as [VisitedPage])[0]), 'decide')
    t.equal(pageKind((pages.install as [VisitedPage])[0]), 'decide')
    for (const { headers } of [
      await visitor.fetch(`${issuer}/api/oauth/token`, { method: 'POST' }),
      await visitor.fetch(`${issuer}/.well-known/jwks.json`),
      await visitor.fetch(`${issuer}/health/live`),
      await visitor.fetch(`${issuer}/assets/latchkey.css`),
      await visitor.fetch(ask(confidential)),
      await visitor.fetch(`${issuer}/api/admin/v1/apps`),
    ]) {
      t.equal(headers.get('x-content-type-options'), 'nosniff')
      t.equal(headers.get('referrer-policy'), 'no-referrer')
      t.equal(headers.get('x-frame-options'), 'DENY')
      t.match(headers.get('x-request-id'), /^req_/)
    }
  })

  t.test('UI-11 a popup has no access to its opener', async (t) => {
    const visitor = await signedIn(issuer, ana)
    for (const url of ['/login', '/nowhere', ask(confidential, { prompt: 'consent' })]) {
      const { headers } = await visitor.get(url)
      t.equal(headers.get('cross-origin-opener-policy'), 'same-origin', url.slice(0, 40))
    }
  })

  t.test('UI-09 UI-15 names chosen by other users are shown as text', async (t) => {
    const hostile = [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "'><svg/onload=alert(1)></title>",
      '<%= process.env.PATH %><%~ it.text %>{{7*7}}&lt;b&gt;&amp;',
    ]
    for (const [index, name] of hostile.entries()) {
      const organization = await running.operator('POST', '/organizations', { name })
      const workspace = await running.operator(
        'POST',
        `/organizations/${organization.body.id}/workspaces`,
        { name },
      )
      const email = `hostile${index}-${stores.name}@acme.test`
      const user = await running.operator('POST', '/users', { email, name, password })
      const path = `/organizations/${organization.body.id}/members/${user.body.id}`
      await running.operator('PUT', path, { role: 'admin' })
      await running.operator('PUT', `/workspaces/${workspace.body.id}/members/${user.body.id}`)
      const app = await createApp(running, { name, description: name })
      const legacyApp = await createApp(running, { name, description: name, interface: 'legacy' })
      const visitor = await signedIn(issuer, { email, password })
      const signInPage = await createVisitor(issuer).get(ask(app))
      const installPage = await visitor.get(ask(app))
      const seen = [
        signInPage,
        installPage,
        await visitor.get(legacyAuthorizeUrl(issuer, legacyApp)),
      ]
      await install(running, organization.body.id, app, { permissions: currentPermissions })
      await install(running, organization.body.id, legacyApp, { permissions: legacyPermissions })
      const consent = await visitor.get(ask(app))
      seen.push(consent, await visitor.get(ask(app, { organization_id: 'x' })))
      const approved = await visitor.submit(consent, { decision: 'approve' })
      t.ok(approved.left)
      seen.push(
        await visitor.get('/account/apps'),
        await visitor.get('/logout'),
        await visitor.get('/'),
      )
      for (const page of seen) {
        t.equal(page.status, 200)
        const label = `${encodeURIComponent(name)} on ${page.url.pathname}`
        t.same(faultsOf(page, new URL(app.redirect_uri).protocol), [], label)
        t.equal(page.dom.querySelectorAll('svg, script:not([src^="/assets/"])').length, 0, label)
      }
      t.ok(
        consent.dom.querySelectorAll('bdi').some((one) => one.text === name),
        'unchanged',
      )
    }
    for (const name of ['a\u202eb', 'a\u2066b', 'a\u2028b', 'a\0b', 'a\nb', '\u200f', ' ', ''])
      for (const path of ['/organizations'])
        t.equal(
          (await running.operator('POST', path, { name })).status,
          400,
          encodeURIComponent(name),
        )
  })

  t.test('UI-09 UI-15 submitted values are shown as text', async (t) => {
    const stranger = createVisitor(issuer)
    const hostile = [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      '" autofocus onfocus=alert(1) x="',
      '</textarea><script>alert(1)</script><%= process.env %>',
      'javascript:alert(1)',
    ]
    for (const text of hostile) {
      const value = encodeURIComponent(text)
      const queries = [
        `/authorize?client_id=${value}`,
        `/authorize?client_id=${confidential.client_id}&redirect_uri=${value}`,
        `/oauth/authorize?client_id=${value}&state=${value}`,
        `/login?return_to=${value}&email=${value}&error=${value}`,
        `/login?return_to=%2F${value}`,
        `/logout?return_to=%2F${value}`,
        `/interaction/${value}`,
        `/account/apps?done=${value}`,
        `/${value}`,
        `/?${value}=${value}`,
        ask(confidential, { login_hint: text, state: text }),
      ]
      for (const query of queries) {
        const page = await stranger.get(query)
        t.ok(page.status < 500, query)
        t.same(faultsOf(page, 'https:'), [], query)
        t.equal(
          page.dom.querySelectorAll(
            'script:not([src^="/assets/"]), [onfocus], [autofocus], img[src="x"]',
          ).length,
          0,
        )
        t.notMatch(page.text, /href="javascript:|alert\(1\)<\/script>/, query)
      }
      const failed = await stranger.submit(await stranger.get('/login'), {
        email: text,
        password: text,
      })
      t.equal(failed.status, 401)
      t.equal(
        failed.dom.querySelectorAll('script:not([src^="/assets/"]), [onfocus], img[src="x"]')
          .length,
        0,
      )
      t.notMatch(
        failed.text.replaceAll('value="', ''),
        `password" value`,
        'no password is returned',
      )
    }
  })

  t.test('UI-15 ignores field names that template engines interpret', async (t) => {
    const keys = [
      'settings[view options][client]=true',
      'settings[views]=/etc',
      'layout=/etc/passwd',
      'it[text]=x',
      'it=x',
      'text[titles][home]=x',
      'title=hacked-title',
      'csrf=hacked',
      'body=hacked-body',
      'locals[title]=hacked-title',
      '__proto__[title]=hacked-title',
      'constructor[prototype][title]=hacked-title',
      'varName=x=1;process.exit(1)//',
      'tags[]=x',
      'filename=../../etc/passwd',
      'include=/etc/passwd',
      'debug=true',
    ]
    const stranger = createVisitor(issuer)
    for (const key of keys) {
      for (const path of ['/login', '/', '/nowhere', '/authorize', '/oauth/authorize']) {
        const page = await stranger.get(`${path}?${key}`)
        t.ok(page.status < 500, `${path}?${key}`)
        t.notMatch(page.text, /hacked-|root:/, `${path}?${key}`)
      }
      const login = await stranger.get('/login')
      const [name, value] = key.split('=') as [string, string]
      const answer = await stranger.submit(login, { email: 'x@y.z', password: 'x', [name]: value })
      t.ok([401, 403, 429].includes(answer.status), key)
      t.notMatch(answer.text, /hacked-|root:/, key)
    }
  })

  t.test('UI-02 rejects consent CSRF', async (t) => {
    const visitor = await signedIn(issuer, ana)
    const foreign = await (await signedIn(issuer, kim)).get('/logout')
    const foreignField = Object.fromEntries(formFields(mainForm(foreign)))._csrf as string
    const page = await visitor.get(ask(confidential, { prompt: 'consent' }))
    const before = await amounts(stores)
    const refused: [string, Record<string, string | null>, Record<string, string>][] = [
      ['no field', { _csrf: null }, {}],
      ['an empty field', { _csrf: '' }, {}],
      ['another person’s field', { _csrf: foreignField }, {}],
      ['a foreign Origin', {}, { origin: 'https://evil.example' }],
      ['the app’s own Origin', {}, { origin: new URL(confidential.redirect_uri).origin }],
      ['a cross-site form', {}, { 'sec-fetch-site': 'cross-site' }],
      ['a same-site form', {}, { 'sec-fetch-site': 'same-site' }],
      ['no field, Origin null', { _csrf: null }, { origin: 'null' }],
    ]
    for (const [label, fields, headers] of refused) {
      const answer = await visitor.submit(page, { decision: 'approve', ...fields }, headers)
      t.equal(answer.status, 403, label)
      t.equal(answer.left, null)
    }
    const query = new URLSearchParams([...formFields(mainForm(page)), ['decision', 'approve']])
    const get = await visitor.fetch(`${page.url}?${query}`)
    t.equal(get.status, 200, 'GET decides nothing')
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await visitor.fetch(page.url, {
        method,
        headers: { 'x-http-method-override': 'POST' },
      })
      t.ok([400, 404, 405].includes(answer.status), method)
    }
    const signedOut = createVisitor(issuer)
    for (const [name, value] of visitor.cookies)
      if (name !== 'latchkey_session') signedOut.cookies.set(name, value)
    const blind = await signedOut.submit(page, { decision: 'approve' })
    t.equal(blind.left, null, 'a form from before the sign-out is refused')
    t.same(await amounts(stores), before)
    t.ok((await visitor.submit(page, { decision: 'approve' })).left, 'the user can decide')
  })

  t.test('UI-06 a consent form is answered once', async (t) => {
    const visitor = await signedIn(issuer, ana)
    for (const [label, url] of [
      ['current', ask(confidential, { prompt: 'consent' })],
      ['legacy', legacyAuthorizeUrl(issuer, world.legacy, { force_prompt: '1' })],
      [
        'implicit',
        legacyAuthorizeUrl(issuer, world.legacyPublic, {
          force_prompt: '1',
          response_type: 'token',
        }),
      ],
    ] as const) {
      const page = await visitor.get(url)
      const before = (await amounts(stores)).grants as number
      const form = new URLSearchParams([...formFields(mainForm(page)), ['decision', 'approve']])
      const send = () => visitor.fetch(page.url, { method: 'POST', body: form })
      const answers = await Promise.all(Array.from({ length: 8 }, send))
      t.equal(answers.filter((one) => one.status === 303).length, 1, label)
      t.equal(answers.filter((one) => one.status === 400).length, 7, label)
      const onward = answers.find((one) => one.status === 303)?.headers.get('location') ?? ''
      const ends = await Promise.all(
        Array.from({ length: 8 }, () => visitor.fetch(new URL(onward, issuer))),
      )
      const redirected = ends.filter((one) => one.headers.get('location'))
      t.equal(redirected.length, 1, `${label}: one code`)
      t.match(redirected[0]?.headers.get('location'), /code=|access_token=/)
      t.equal((await amounts(stores)).grants, before + 1, label)
      t.equal((await visitor.get(page.url)).status, 400, `${label}: the back button`)
      t.equal((await send()).status, 400, `${label}: the form again`)
      t.equal((await visitor.get(onward)).status, 400, `${label}: the redirect again`)
    }
  })

  t.test('ARQ-15 a denied request cannot be approved later', async (t) => {
    const visitor = await signedIn(issuer, ana)
    for (const [label, url, iss] of [
      ['current', ask(confidential, { prompt: 'consent' }), issuer],
      ['legacy', legacyAuthorizeUrl(issuer, world.legacy, { force_prompt: '1' }), null],
    ] as const) {
      const page = await visitor.get(url)
      const before = await amounts(stores)
      const denied = await visitor.submit(page, { decision: 'deny' })
      const answer = Object.fromEntries(denied.left?.searchParams ?? [])
      t.match(answer, { error: 'access_denied', state: 'the-state' }, label)
      t.equal(denied.left?.searchParams.get('iss') ?? null, iss)
      t.notOk('code' in answer)
      for (const decision of ['deny', 'approve'])
        t.equal(
          (await visitor.submit(page, { decision })).status,
          400,
          `${label}: then ${decision}`,
        )
      const after = await amounts(stores)
      t.same([after.grants, after.consents], [before.grants, before.consents], label)
    }
    const page = await visitor.get(ask(confidential, { prompt: 'consent' }))
    for (const decision of ['', 'yes', 'APPROVE', 'approve ', 'request', '__proto__']) {
      const answer = await visitor.submit(page, { decision })
      t.equal(answer.left, null, `${decision} is not a decision`)
      t.ok(answer.status < 500)
    }
    const tampered: Record<string, string | string[]>[] = [
      { permissions: ['records:create', 'records:delete'] },
      { permissions: '*' },
      { workspace_ids: world.finance },
      { workspace_ids: world.foreignWorkspace },
      { workspace_ids: '*' },
    ]
    for (const fields of tampered) {
      const answer = await visitor.submit(page, { decision: 'approve', ...fields })
      t.equal(answer.status, 400, JSON.stringify(fields))
    }
    const least = await visitor.submit(page, {
      decision: ['approve', 'deny'],
      permissions: null,
      workspace_ids: world.sales,
    })
    const code = least.left?.searchParams.get('code')
    t.ok(code || least.left?.searchParams.get('error'))
    if (code) {
      const { body } = await exchangeCode(issuer, confidential, { code, verifier: newVerifier() })
      t.equal(body.error, 'invalid_grant')
    }
    const reason = await createApp(running, { name: 'Wanted' })
    const wanted = await visitor.get(ask(reason))
    for (const text of ['\0', 'a\0b', '<script>', '\ud83d\ude00', 'x'.repeat(20_000)]) {
      const filed = await visitor.submit(wanted, { decision: 'request', reason: text })
      t.equal(filed.status, 200, JSON.stringify(text).slice(0, 20))
    }
    t.ok(acme)
  })
})
