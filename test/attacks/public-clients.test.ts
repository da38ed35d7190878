import { currentCode, exchangeCode, post, refresh } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { rawRequest, sendRaw } from '../support/raw-http.ts'
import { signedIn } from '../support/signed-in.ts'
import { createVisitor } from '../support/visitor.ts'
import { createApp, install, legacyPermissions } from '../support/world.ts'

const corsHeaders = (headers: Headers) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'))

await onEachBackend('public clients', async (t, { running, issuer, world }) => {
  const { confidential, legacyPublic, ana, acme } = world
  const visitor = await signedIn(issuer, ana)
  const app = await createApp(running, {
    name: 'Page',
    client_type: 'public',
    redirect_uris: [
      'https://spa.example/cb',
      'https://spa.example:8443/cb',
      'http://127.0.0.1:5000/cb',
      'com.example.app:/cb',
    ],
  })
  await install(running, acme, app)
  const own = 'https://spa.example'
  const token = `${issuer}/api/oauth/token`

  t.test('PUB-01 PUB-04 accepts the app’s own origins and requests without one', async (t) => {
    for (const origin of [own, 'https://spa.example:8443', 'http://127.0.0.1:5000']) {
      const grant = await currentCode(running, app, ana, {}, visitor)
      const first = await exchangeCode(issuer, app, grant, {}, { origin })
      const next = await refresh(issuer, app, first.body.refresh_token, {}, { origin })
      for (const { status, headers } of [first, next]) {
        t.equal(status, 200, origin)
        t.equal(headers.get('access-control-allow-origin'), origin)
        t.match(headers.get('vary'), /\borigin\b/i)
        t.equal(headers.get('access-control-allow-credentials'), null)
      }
      const wrong = await exchangeCode(issuer, app, grant, {}, { origin })
      t.equal(wrong.status, 400)
      t.equal(
        wrong.headers.get('access-control-allow-origin'),
        origin,
        'the page may read the error',
      )
    }
    const grant = await currentCode(running, app, ana, {}, visitor)
    const native = await exchangeCode(issuer, app, grant)
    t.equal(native.status, 200)
    t.same(corsHeaders(native.headers), [])
    t.match(native.headers.get('vary'), /\borigin\b/i)
  })

  const foreign = [
    'null',
    '',
    'https://evil.example',
    'http://spa.example',
    'https://spa.example:444',
    'https://spa.example/',
    'https://spa.example/cb',
    'https://SPA.example',
    'HTTPS://spa.example',
    'https://spa.example.',
    'https://spa.example.evil.example',
    'https://evil.example/https://spa.example',
    'https://evilspa.example',
    'https://sub.spa.example',
    'https://spa.example@evil.example',
    'https://spa.example https://evil.example',
    'https://spa.example, https://evil.example',
    'http://127.0.0.1',
    'http://127.0.0.1:5001',
    'http://localhost:5000',
    'com.example.app:',
    'com.example.app://',
    'file://',
    'chrome-extension://abc',
    '*',
  ]

  t.test('PUB-03 refuses a foreign or opaque origin and consumes nothing', async (t) => {
    const grant = await currentCode(running, app, ana, {}, visitor)
    for (const origin of foreign) {
      const answer = await exchangeCode(issuer, app, grant, {}, { origin })
      t.match(answer, { status: 400, body: { error: 'invalid_request' } }, origin)
      t.same(corsHeaders(answer.headers), [], origin)
    }
    const first = await exchangeCode(issuer, app, grant, {}, { origin: own })
    t.equal(first.status, 200)
    for (const origin of foreign) {
      const answer = await refresh(issuer, app, first.body.refresh_token, {}, { origin })
      t.match(answer, { status: 400, body: { error: 'invalid_request' } }, origin)
      t.same(corsHeaders(answer.headers), [], origin)
    }
    const body = String(
      new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: first.body.refresh_token,
        client_id: app.client_id,
      }),
    )
    const type = 'Content-Type: application/x-www-form-urlencoded'
    for (const pair of [
      [`Origin: ${own}`, 'Origin: https://evil.example'],
      ['Origin: https://evil.example', `Origin: ${own}`],
    ]) {
      const line = 'POST /api/oauth/token'
      const { text } = await sendRaw(token, rawRequest(token, line, [type, ...pair], body))
      t.match(text, /^HTTP\/1\.1 400/, 'two origins')
      t.notMatch(text, /access-control/i)
    }
    const last = await refresh(issuer, app, first.body.refresh_token, {}, { origin: own })
    t.equal(last.status, 200)
  })

  t.test('only pages of the app’s own origin may read an early error', async (t) => {
    const { client_id } = app
    const refused: [string, Record<string, string>][] = [
      ['/api/oauth/token', { client_id, grant_type: 'refresh_token' }],
      ['/api/oauth/token', { client_id, grant_type: 'password' }],
      ['/api/oauth/token', { grant_type: 'password' }],
      ['/api/oauth/token', { client_id: 'nope', grant_type: 'refresh_token' }],
      ['/api/oauth/par', { client_id: 'nope' }],
      ['/api/oauth/par', { client_id }],
      ['/api/oauth/revoke', { client_id: 'nope', token: 'x' }],
      ['/api/oauth/revoke', { client_id }],
    ]
    for (const [path, fields] of refused) {
      const what = `${path} ${JSON.stringify(fields)}`
      const answer = await post(issuer + path, fields, { origin: own })
      t.ok([400, 401].includes(answer.status), what)
      t.equal(answer.headers.get('access-control-allow-origin'), own, what)
      t.match(
        answer.headers.get('access-control-expose-headers'),
        'dpop-nonce, retry-after, www-authenticate',
      )
      t.match(answer.headers.get('vary'), /\borigin\b/i)
      for (const origin of foreign) {
        const { headers } = await post(issuer + path, fields, { origin })
        t.same(corsHeaders(headers), [], `${what} ${origin}`)
      }
    }
    const { client_id: secret, client_secret } = confidential
    const withSecret: Record<string, string>[] = [
      { client_id: secret, client_secret, grant_type: 'refresh_token' },
      { client_id: secret, client_secret: 'x', grant_type: 'refresh_token', refresh_token: 'x' },
      { client_id: secret, grant_type: 'refresh_token', refresh_token: 'x' },
    ]
    for (const fields of withSecret) {
      const { status, headers } = await post(token, fields, { origin: own })
      t.ok([400, 401].includes(status))
      t.same(corsHeaders(headers), [], `a confidential app: ${JSON.stringify(fields)}`)
    }
    const open = await post(
      `${issuer}/api/oauth/access_token`,
      { grant_type: 'refresh_token' },
      { origin: own },
    )
    t.same(corsHeaders(open.headers), [], 'the legacy endpoint allows no page to read it')
  })

  t.test('PUB-05 a preflight allows only the registered origin, method and headers', async (t) => {
    const ask = (
      origin: string | null,
      more: Record<string, string> = {},
      path = '/api/oauth/token',
    ) =>
      fetch(issuer + path, {
        method: 'OPTIONS',
        headers: {
          ...(origin !== null && { origin }),
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
          ...more,
        },
      })
    for (const path of ['/api/oauth/token', '/api/oauth/par']) {
      const answer = await ask(own, {}, path)
      t.equal(answer.status, 204)
      t.equal(answer.headers.get('access-control-allow-origin'), own)
      t.equal(answer.headers.get('access-control-allow-methods'), 'POST')
      t.match(answer.headers.get('access-control-allow-headers'), /^content-type$/i)
      t.equal(answer.headers.get('access-control-allow-credentials'), null)
      t.match(answer.headers.get('vary'), /\borigin\b/i)
      for (const origin of [...foreign, null, `${'x'.repeat(5000)}`, 'https://app.example']) {
        const refused = await ask(origin, {}, path)
        t.equal(refused.status, 204, String(origin))
        t.same(corsHeaders(refused.headers), [], String(origin))
      }
    }
    const proving = await ask(own, { 'access-control-request-headers': 'content-type,dpop' })
    t.equal(proving.headers.get('access-control-allow-headers'), 'content-type, dpop')
    const greedy = await ask(own, {
      'access-control-request-method': 'DELETE',
      'access-control-request-headers': 'authorization, x-evil',
      'access-control-request-private-network': 'true',
    })
    t.equal(greedy.headers.get('access-control-allow-methods'), 'POST')
    t.match(greedy.headers.get('access-control-allow-headers'), /^content-type$/i)
    t.equal(greedy.headers.get('access-control-allow-private-network'), null)
  })

  t.test('PUB-05 a disabled or confidential app allows no origin', async (t) => {
    const gone = await createApp(running, {
      name: 'Gone',
      client_type: 'public',
      redirect_uris: ['https://gone.example/cb'],
    })
    const ask = async (origin: string) =>
      (await fetch(token, { method: 'OPTIONS', headers: { origin } })).headers.get(
        'access-control-allow-origin',
      )
    t.equal(await ask('https://gone.example'), 'https://gone.example')
    await running.operator('PATCH', `/apps/${gone.client_id}`, { disabled: true })
    t.equal(await ask('https://gone.example'), null)
    t.equal(await ask('https://app.example'), null, 'a confidential app’s')
    t.equal(await ask('https://view.example'), null, 'a legacy app’s')
  })

  t.test('PUB-06 refuses a secret from a public client', async (t) => {
    const grant = await currentCode(running, app, ana, {}, visitor)
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
    const attempts: [Record<string, string | undefined>, Record<string, string>][] = [
      [{ client_secret: 'x' }, {}],
      [{ client_secret: confidential.client_secret }, {}],
      [{ client_id: undefined }, { authorization: basic(`${app.client_id}:x`) }],
    ]
    for (const [fields, headers] of attempts) {
      for (const origin of [undefined, own]) {
        const all = { ...headers, ...(origin && { origin }) }
        const answer = await exchangeCode(issuer, app, grant, fields, all)
        t.match(answer, { status: 401, body: { error: 'invalid_client' } })
      }
    }
    t.equal((await exchangeCode(issuer, app, grant)).status, 200, 'the code is still valid')
  })

  t.test('PUB-07 a page cannot read answers for a confidential client', async (t) => {
    for (const origin of [own, 'https://app.example', 'https://evil.example', 'null']) {
      const grant = await currentCode(running, confidential, ana, {}, visitor)
      const answer = await exchangeCode(issuer, confidential, grant, {}, { origin })
      t.ok([200, 400].includes(answer.status))
      t.same(corsHeaders(answer.headers), [], origin)
    }
  })

  t.test('PUB-08 other routes have no CORS headers', async (t) => {
    await install(running, acme, legacyPublic, { permissions: legacyPermissions })
    const paths = [
      '/',
      '/login',
      '/logout',
      '/account/apps',
      '/authorize',
      '/oauth/authorize',
      '/api/oauth/access_token',
      '/api/admin/v1/apps',
      '/api/admin/v1/openapi.json',
      '/health/live',
      '/interaction/x',
      '/assets/latchkey.css',
      '/nowhere',
    ]
    const stranger = createVisitor(issuer)
    for (const browser of [visitor, stranger]) {
      for (const path of paths) {
        for (const origin of [own, 'https://evil.example', 'null', issuer]) {
          for (const method of ['GET', 'POST', 'OPTIONS']) {
            const init = { method, headers: { origin, 'access-control-request-method': 'POST' } }
            const { headers } = await browser.fetch(issuer + path, init)
            t.same(corsHeaders(headers), [], `${method} ${path}`)
          }
        }
      }
    }
    for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/jwks.json']) {
      const { headers } = await fetch(issuer + path, { headers: { origin: 'https://any.example' } })
      t.equal(headers.get('access-control-allow-origin'), '*', path)
      t.equal(headers.get('access-control-allow-credentials'), null)
    }
  })
})

await onEachBackend(
  'a public client over its rate limit',
  async (t, { issuer, world }) => {
    const { publicApp } = world
    const { origin } = new URL(publicApp.redirect_uri)
    const ask = () => refresh(issuer, publicApp, 'no-such-token', {}, { origin })
    t.equal((await ask()).status, 400)
    const { status, headers } = await ask()
    t.equal(status, 429)
    t.match(headers.get('retry-after'), /^[1-9]/)
    t.equal(headers.get('access-control-allow-origin'), origin, 'its page may read that error')
    t.equal(
      headers.get('access-control-expose-headers'),
      'dpop-nonce, retry-after, www-authenticate',
    )
  },
  { environment: { LIMIT_TOKEN_REQUESTS: '1' } },
)
