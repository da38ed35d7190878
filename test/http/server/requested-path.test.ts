/** Where a request is routed: below the path of the issuer, without it, and at aliases. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import Fastify from 'fastify'
import t from 'tap'
import type { Alias } from '../../../src/core/language/endpoints.ts'
import { watchRoutes } from '../../../src/http/server/allowed-methods.ts'
import { pageBelow, readPaths } from '../../../src/http/server/requested-path.ts'
import { startLatchkey } from '../../support/latchkey.ts'
import { sendRaw } from '../../support/raw-http.ts'
import { testStores } from '../../support/stores.ts'

const routes = [
  '/',
  '/login',
  '/authorize',
  '/oauth/authorize',
  '/api/oauth/token',
  '/docs/*',
  '/interaction/:id',
]

const reader = (prefix: string, aliases: Alias[] = []) => {
  const server = Fastify()
  watchRoutes(server)
  for (const route of routes) server.get(route, async () => '')
  return (url: string) => {
    const request = { url } as IncomingMessage
    readPaths({ prefix, aliases }, () => server)(() => {})(request, {} as ServerResponse)
    return request.alias === undefined ? request.url : [request.url, request.alias]
  }
}

t.test('HTTP-14 a path below that of the issuer is read without it first', async (t) => {
  const metadata = '/.well-known/oauth-authorization-server'
  const cases: [prefix: string, url: string, read: string][] = [
    ['', '/auth/login', '/auth/login'],
    ['/auth', '/auth', '/'],
    ['/auth', '/auth/', '/'],
    ['/auth', '/auth?a=/auth/', '/?a=/auth/'],
    ['/auth', '/auth/login?a=b#c', '/login?a=b#c'],
    ['/auth', '/login', '/login'],
    ['/auth', 'http://other.example/auth/login', '/login'],
    ['/auth', 'http://other.example', '/'],
    ['/auth', 'http://other.example?a=/auth/login', '/?a=/auth/login'],
    ['/auth', '/authorize', '/authorize'],
    ['/auth', '/auth/authorize', '/authorize'],
    ['/auth', '/auth/auth/login', '/auth/login'],
    ['/auth', '//auth/login', '//auth/login'],
    ['/auth', '/auth//other.example', '//other.example'],
    ['/auth', '/AUTH/login', '/AUTH/login'],
    ['/auth', '/%61uth/login', '/%61uth/login'],
    ['/auth', '/auth%2flogin', '/auth%2flogin'],
    ['/auth', '/auth;/login', '/auth;/login'],
    ['/auth', '/auth/../login', '/../login'],
    ['/auth', '/./auth/login', '/./auth/login'],
    ['/auth', `${metadata}/auth`, metadata],
    ['/auth', `${metadata}/auth/`, `${metadata}/auth/`],
    ['/auth', `${metadata}/other`, `${metadata}/other`],
    ['/auth', '/.well-known/openid-configuration/auth?x', '/.well-known/openid-configuration?x'],
    ['/a/b', '/a/b/login', '/login'],
    ['/a/b', '/a/login', '/a/login'],
    // Our own paths begin like these. Only what does not exist without the prefix is read as it came.
    ['/api', '/api/api/oauth/token', '/api/oauth/token'],
    ['/api', '/api/oauth/token', '/api/oauth/token'],
    ['/api', '/api/login', '/login'],
    ['/oauth', '/oauth/authorize', '/authorize'],
    ['/oauth', '/oauth/oauth/authorize', '/oauth/authorize'],
    ['/interaction', '/interaction/1', '/interaction/1'],
    ['/interaction', '/interaction/login', '/login'],
  ]
  for (const [prefix, url, read] of cases) t.equal(reader(prefix)(url), read, `${prefix} ${url}`)
})

t.test('HTTP-14 aliases are compared byte by byte, before all else', async (t) => {
  const aliases: Alias[] = [
    { path: '/oauth/token', endpoint: 'token' },
    { path: '/o/jwks/', endpoint: 'jwks' },
    { path: '/oauth/authorize', endpoint: 'authorize' },
    { path: '/auth/login', endpoint: 'end_session' },
    { path: '/.well-known/openid-configuration/auth', endpoint: 'userinfo' },
  ]
  const token = ['/api/oauth/token', '/oauth/token']
  const cases: [prefix: string, url: string, read: unknown][] = [
    ['', '/oauth/token', token],
    ['', 'https://other.example/oauth/token', token],
    ['', '/oauth/token?a=b', ['/api/oauth/token?a=b', '/oauth/token']],
    ['', '/oauth/token/', '/oauth/token/'],
    ['', '/OAUTH/token', '/OAUTH/token'],
    ['', '/oauth/%74oken', '/oauth/%74oken'],
    ['', '//oauth/token', '//oauth/token'],
    ['', '/o/jwks', '/o/jwks'],
    ['', '/o/jwks/', ['/.well-known/jwks.json', '/o/jwks/']],
    ['', '/oauth/authorize?x', ['/authorize?x', '/oauth/authorize']],
    ['', '/api/oauth/token', '/api/oauth/token'],
    ['/auth', '/oauth/token', token],
    ['/auth', '/auth/oauth/token', token],
    ['/auth', '/auth/auth/oauth/token', '/auth/oauth/token'],
    ['/auth', '/auth/login', ['/end-session', '/auth/login']],
    ['/auth', '/auth/auth/login', ['/end-session', '/auth/login']],
    [
      '/auth',
      '/.well-known/openid-configuration/auth',
      ['/userinfo', '/.well-known/openid-configuration/auth'],
    ],
    ['/oauth', '/oauth/token', token],
  ]
  for (const [prefix, url, read] of cases)
    t.same(reader(prefix, aliases)(url), read, `${prefix} ${url}`)
})

t.test('addresses of a page', async (t) => {
  const html =
    '<a href="/x"> <a href="//other.example/"> <a href="https://other.example/"> <a href="?a">' +
    ' <form action="/"> <img src="/logos/1"> <p title="/x"> <p data-options="/y"> text href="/z"'
  t.equal(
    pageBelow('/auth')(html),
    '<a href="/auth/x"> <a href="//other.example/"> <a href="https://other.example/"> <a href="?a">' +
      ' <form action="/auth/"> <img src="/auth/logos/1"> <p title="/x"> <p data-options="/auth/y"> text href="/auth/z"',
  )
  t.equal(pageBelow('')(html), html)
})

for (const stores of await testStores())
  t.test(`a server below a path (${stores.name})`, async (t) => {
    t.teardown(() => stores.drop())
    const running = await startLatchkey(stores, {
      environment: {
        ISSUER: 'https://example.com/auth/',
        METRICS_TOKEN: 'metrics-token-0123456789',
        ENDPOINT_ALIASES: '/old/token=token',
      },
    })
    t.teardown(() => running.stop())
    const [url] = running.urls as [string]
    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(url + path, { redirect: 'manual', headers })

    const base = 'https://example.com/auth'
    const documents = ['oauth-authorization-server', 'openid-configuration'].flatMap((name) => [
      `/.well-known/${name}`,
      `/auth/.well-known/${name}`,
      `/.well-known/${name}/auth`,
    ])
    for (const path of documents) {
      const response = await get(path)
      t.equal(response.headers.get('access-control-allow-origin'), '*', path)
      t.match(await response.json(), {
        issuer: 'https://example.com/auth/',
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/api/oauth/token`,
        jwks_uri: `${base}/.well-known/jwks.json`,
      })
    }

    for (const path of ['/health/live', '/health/ready', '/metrics', '/login', '/docs/install'])
      for (const prefix of ['', '/auth']) {
        const headers = { authorization: 'Bearer metrics-token-0123456789' }
        t.equal((await get(prefix + path, headers)).status, 200, prefix + path)
      }

    const page = await get('/auth/login')
    const cookies = page.headers.getSetCookie()
    t.ok(cookies.length > 0)
    for (const line of cookies)
      t.match(line, /^__Secure-latchkey_\w+=.*; Path=\/auth; HttpOnly; Secure; SameSite=Lax$/)
    const html = await page.text()
    const local = [...html.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(
      ([, at]) => at as string,
    )
    t.ok(local.length > 5)
    for (const at of local) {
      t.ok(at.startsWith('/auth/'), at)
      if (/\.(?:css|js|svg|ico|png)$/.test(at)) t.equal((await get(at)).status, 200, at)
    }
    t.equal((await get('/auth/docs/')).headers.get('location'), '/auth/docs')
    const guide = await (await get('/auth/docs/for-apps')).text()
    t.notMatch(guide, /(?:href|src|action)="\/(?!auth\/)/)

    const made = await fetch(`${url}/auth/api/admin/v1/organizations`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer operator-token-of-the-tests-0123456789',
        'content-type': 'application/json',
      },
      body: '{"name":"Acme"}',
    })
    const { id } = (await made.json()) as { id: string }
    t.equal(made.headers.get('location'), `/auth/api/admin/v1/organizations/${id}`)
    const { servers } = (await (await get('/auth/api/admin/v1/openapi.json')).json()) as {
      servers: object[]
    }
    t.match(servers, [{ url: '/auth' }])

    // None of these is a page, a guarded path or a redirect.
    for (const path of [
      '/auth/auth/login',
      '/AUTH/login',
      '/%61uth/login',
      '//auth/login',
      '/auth//other.example/',
      '/auth//other.example/%2f..',
      '/auth/../login',
      '/auth/%2e%2e/login',
      '/auth/..//other.example/',
      '/auth/auth/api/admin/v1/organizations',
      '/auth/auth/metrics',
    ]) {
      const { statuses, text } = await sendRaw(
        url,
        `GET ${path} HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n`,
      )
      t.same(statuses, [404], path)
      t.notMatch(text, /^location:/im, path)
    }
    const unguarded = await get('/auth/api/admin/v1/organizations')
    t.equal(unguarded.status, 401)
    t.equal((await get('/auth/login?return_to=//other.example')).status, 200)

    for (const path of ['/auth/api/oauth/token', '/auth/old/token', '/old/token']) {
      const { status, headers } = await get(path)
      t.equal(status, 400, path)
      t.equal(headers.get('allow'), 'POST', path)
      t.equal((await fetch(url + path, { method: 'OPTIONS' })).status, 204, path)
    }
  })
