/** A path that exists for other methods names them (RFC 9110 §15.5.6). */
import { freePort } from '../support/free-port.ts'
import { operatorToken } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { rawRequest, sendRaw } from '../support/raw-http.ts'

const metricsPort = await freePort()

const rows: [method: string, path: string, allow: string, status?: number][] = [
  ['POST', '/health/live', 'GET, HEAD'],
  ['DELETE', '/health/ready', 'GET, HEAD'],
  ['POST', '/metrics', 'GET, HEAD'],
  ['POST', '/.well-known/jwks.json', 'GET, HEAD, OPTIONS'],
  ['PUT', '/.well-known/oauth-authorization-server', 'GET, HEAD, OPTIONS'],
  ['POST', '/api/oauth/revocations', 'GET'],
  ['PUT', '/userinfo', 'GET, OPTIONS, POST'],
  ['POST', '/sdk/v1.js', 'GET, HEAD'],
  ['GET', '/api/oauth/introspect', 'POST'],
  ['PUT', '/api/oauth/revoke', 'POST'],
  ['GET', '/api/oauth/par', 'POST'],
  ['DELETE', '/api/oauth/device_authorization', 'POST'],
  ['OPTIONS', '/api/oauth/introspect', 'POST'],
  ['GET', '/api/oauth/token', 'POST', 400],
  ['GET', '/api/oauth/access_token', 'POST', 400],
]

const pages: [method: string, path: string, allow: string][] = [
  ['DELETE', '/login', 'GET, HEAD, POST'],
  ['PUT', '/authorize', 'GET, POST'],
  ['POST', '/oauth/authorize', 'GET'],
  ['POST', '/signed-out', 'GET, HEAD'],
  ['PATCH', '/organizations/org1/keys', 'GET, HEAD, POST'],
  ['POST', '/organizations/org1/activity', 'GET, HEAD'],
  ['POST', '/docs', 'GET, HEAD'],
  ['POST', '/', 'GET, HEAD'],
]

await onEachBackend(
  'a path that exists for other methods',
  async (t, { issuer }) => {
    t.test('program endpoints answer 405 in JSON', async (t) => {
      for (const [method, path, allow, status = 405] of rows) {
        const answer = await fetch(issuer + path, { method })
        t.equal(answer.status, status, `${method} ${path}`)
        t.equal(answer.headers.get('allow'), allow, `${method} ${path}`)
        t.match(await answer.json(), { error: 'invalid_request' })
      }
      const raw = rawRequest(issuer, 'TRACE /api/oauth/token', [], '')
      t.match((await sendRaw(issuer, raw)).text, /^HTTP\/1\.1 400 /)
    })

    t.test('pages answer 405 with a page', async (t) => {
      for (const [method, path, allow] of pages) {
        const answer = await fetch(issuer + path, { method })
        t.equal(answer.status, 405, `${method} ${path}`)
        t.equal(answer.headers.get('allow'), allow, `${method} ${path}`)
        t.match(await answer.text(), /<h1>This page does not accept the request<\/h1>/)
      }
    })

    t.test(
      'the Operator API answers 405 with a problem document after authentication',
      async (t) => {
        const address = `${issuer}/api/admin/v1/users/usr1/passkeys`
        const authorization = `Bearer ${operatorToken}`
        const answer = await fetch(address, { method: 'PUT', headers: { authorization } })
        t.equal(answer.status, 405)
        t.match(answer.headers.get('allow'), /^[A-Z]+(, [A-Z]+)*$/)
        t.match(answer.headers.get('content-type'), 'application/problem+json')
        t.equal((await fetch(address, { method: 'PUT' })).status, 401)
      },
    )

    t.test('a page answers HEAD as GET, without a body, where GET has no effect', async (t) => {
      for (const path of ['/', '/login', '/logout', '/account/apps', '/activate', '/signed-out']) {
        const asked = (method: string) => fetch(issuer + path, { method, redirect: 'manual' })
        const [head, get] = [await asked('HEAD'), await asked('GET')]
        t.equal(head.status, get.status, path)
        t.equal(head.headers.get('location'), get.headers.get('location'), path)
        t.equal(head.headers.get('content-type'), get.headers.get('content-type'), path)
        t.equal(await head.text(), '', path)
      }
      for (const path of [
        '/authorize',
        '/oauth/authorize',
        '/install',
        '/end-session',
        '/interaction/x',
        '/interaction/x/current',
        '/operator/secret?handover=x',
      ])
        t.equal((await fetch(issuer + path, { method: 'HEAD' })).status, 405, path)
    })

    t.test('unknown paths answer 404 for any method', async (t) => {
      for (const path of [
        '/nowhere',
        '/login/',
        '/logins',
        '/organizations/a/b/keys',
        '/%6cogin/x',
      ])
        for (const method of ['GET', 'POST', 'PUT', 'OPTIONS']) {
          const answer = await fetch(issuer + path, { method })
          t.equal(answer.status, 404, `${method} ${path}`)
          t.equal(answer.headers.get('allow'), null)
        }
    })

    t.test('the metrics port answers 405 too', async (t) => {
      const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { method: 'POST' })
      t.equal(answer.status, 405)
      t.equal(answer.headers.get('allow'), 'GET')
    })
  },
  {
    environment: { METRICS_TOKEN: 'metrics-token-of-the-tests', METRICS_PORT: String(metricsPort) },
  },
)
