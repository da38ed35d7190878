import { request } from 'node:http'
import { createServer } from 'node:net'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { listenAtOtherLoopback } from '../../../src/http/server/both-loopbacks.ts'
import { freePort } from '../../support/free-port.ts'
import { startLatchkey } from '../../support/latchkey.ts'
import { testStores } from '../../support/stores.ts'

interface Asked {
  path: string
  host: string
  method?: string
  address?: string
}

/** Sends a request with this Host to an address of this computer. */
const ask = (port: string, { path, host, method = 'GET', address = '127.0.0.1' }: Asked) =>
  new Promise<[status: number | undefined, location: string | null]>((resolve, reject) => {
    const headers = { host }
    request({ host: address, port, path, method, headers }, (answer) => {
      answer.resume()
      resolve([answer.statusCode, answer.headers.location ?? null])
    })
      .once('error', reject)
      .end()
  })

const hasIpv6 = await new Promise<boolean>((resolve) => {
  const probe = createServer()
  probe.once('error', () => resolve(false)).listen(0, '::1', () => probe.close(() => resolve(true)))
})

for (const stores of await testStores()) {
  t.teardown(() => stores.drop())
  const start = async (t: Test, environment: NodeJS.ProcessEnv = {}, host = 'localhost') => {
    const running = await startLatchkey(stores, { host, environment })
    t.teardown(() => running.stop())
    return new URL(running.urls[0] as string).port
  }

  t.test(`below a path, and at an alias (${stores.name})`, async (t) => {
    const environment = { ENDPOINT_ALIASES: '/oauth/authorize=authorize' }
    const running = await startLatchkey(stores, { host: 'localhost', path: '/auth', environment })
    t.teardown(() => running.stop())
    const { port } = new URL(running.issuer)
    for (const path of ['/login', '/authorize?client_id=a', '/oauth/authorize?client_id=a'])
      for (const prefix of ['', '/auth']) {
        const expected = [302, `http://localhost:${port}/auth${path}`]
        t.same(await ask(port, { path: prefix + path, host: `127.0.0.1:${port}` }), expected)
      }
  })

  t.test(`pages are at the issuer's name (${stores.name})`, async (t) => {
    const port = await start(t)
    const pages = [
      '/',
      '/login?return_to=%2Faccount',
      '/docs/install',
      '/operator',
      '/activate',
      '/account/apps',
      '/authorize?client_id=a&state=%0d%0aa',
      '/oauth/authorize?client_id=a',
    ]
    for (const path of pages)
      for (const name of ['127.0.0.1', '[::1]']) {
        const at = `http://localhost:${port}${path}`
        t.same(await ask(port, { path, host: `${name}:${port}` }), [302, at], `${name} ${path}`)
      }
    const tunnel = await ask(port, { path: '/login', host: '127.0.0.1:8080' })
    t.same(tunnel, [302, 'http://localhost:8080/login'], 'the port stays')
    t.same(await ask(port, { path: '/login', host: '127.0.0.1' }), [302, 'http://localhost/login'])
    const odd = await ask(port, { path: '//other.example/', host: `127.0.0.1:${port}` })
    t.notMatch(odd[1] ?? '', /^\/\/|^http:\/\/other/)
  })

  t.test(`nothing else is redirected (${stores.name})`, async (t) => {
    const port = await start(t)
    const host = `127.0.0.1:${port}`
    const others: Asked[] = [
      { path: '/login', host: `localhost:${port}` },
      { path: '/login', host: `LOCALHOST:${port}` },
      { path: '/login', host: 'other.example' },
      { path: '/login', host: '127.0.0.1.other.example' },
      { path: '/login', host: '127.0.0.1:1@other.example' },
      { path: '/login', host, method: 'POST' },
      { path: '/authorize', host, method: 'POST' },
      { path: '/assets/latchkey.css', host },
      { path: '/docs/images/consent.png', host },
      { path: '/health/ready', host },
      { path: '/sdk/v1.js', host },
      { path: '/userinfo', host },
      { path: '/.well-known/oauth-authorization-server', host },
      { path: '/api/admin/v1/apps', host },
      { path: '/api/oauth/token', host, method: 'POST' },
      { path: '/scim/v2/Users', host },
      { path: '/no-such-page', host },
    ]
    for (const one of others) {
      const [status = 0, location] = await ask(port, one)
      t.ok(location === null && status !== 302, `${one.method ?? 'GET'} ${one.host}${one.path}`)
    }
  })

  t.test(`another issuer redirects nothing (${stores.name})`, async (t) => {
    const far = await start(t, { ISSUER: 'https://auth.example.com' })
    t.same(await ask(far, { path: '/login', host: `127.0.0.1:${far}` }), [200, null])
    const legacy = await start(t, { LEGACY_ORIGIN: 'http://127.0.0.1:9' })
    const [status] = await ask(legacy, { path: '/oauth/authorize', host: '127.0.0.1:9' })
    t.not(status, 302, 'the legacy origin keeps its name')
  })

  if (hasIpv6)
    t.test(`answers at both addresses of localhost (${stores.name})`, async (t) => {
      const running = await startLatchkey(stores, { host: 'localhost' })
      const { port } = new URL(running.issuer)
      const at = { path: '/login', host: `localhost:${port}` }
      for (const address of ['127.0.0.1', '::1'])
        t.same(await ask(port, { ...at, address }), [200, null], address)
      await running.stop()
      await t.rejects(ask(port, { ...at, address: '::1' }), 'closed with the server')
    })
}

if (hasIpv6)
  t.test('a port that another program has at [::1] is refused', async (t) => {
    const port = await freePort()
    const other = createServer().listen(port, '::1')
    t.teardown(() => other.close())
    const server = Fastify()
    t.teardown(() => server.close())
    await t.rejects(listenAtOtherLoopback(server, port), { code: 'EADDRINUSE' })
  })
