/**
 * Requests that any website can make a visitor's browser send must not consume the limits of the
 * visitor's network.
 */
import { currentCode, exchangeCode, legacyCode, legacyToken, post } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { createApp } from '../support/world.ts'

const most = 10
const environment = {
  LIMIT_AUTHORIZATIONS: String(most),
  LIMIT_TOKEN_REQUESTS: String(most),
  LIMIT_CLIENT_FAILURES: String(most),
  LIMIT_SIGN_IN_FAILURES: String(most / 10),
}

const evil = 'https://evil.example'
/** How browsers send such requests: form or `no-cors`, CORS, a frame, an older browser. */
const foreign: Record<string, string>[] = [
  { origin: evil, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
  { origin: 'null', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
  { origin: evil, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
  { origin: evil, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  { origin: evil, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
  { origin: evil },
]

await onEachBackend(
  'the network of a visitor',
  async (t, { running, issuer, world }) => {
    const { acme, ana, publicApp, confidential, legacy } = world
    const device = await createApp(running, {
      name: 'Device',
      client_type: 'public',
      redirect_uris: ['https://spa.example/callback'],
      device_flow: true,
    })
    t.test('GUE-04 pages of public apps are served', async (t) => {
      const { origin } = new URL(publicApp.redirect_uri)
      const own = { origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }
      const grant = await currentCode(running, publicApp, { ...ana, organizationId: acme })
      const answer = await exchangeCode(issuer, publicApp, grant, {}, own)
      t.equal(answer.status, 200)
      t.equal(answer.headers.get('access-control-allow-origin'), origin)
      const { code } = await legacyCode(running, legacy, { ...ana, organizationId: acme })
      const fields = { grant_type: 'authorization_code', code }
      t.equal((await legacyToken(issuer, legacy, fields, { origin: evil })).status, 200)
    })

    const endpoints: [what: string, path: string, fields: Record<string, string>][] = [
      ['device', '/api/oauth/device_authorization', { client_id: device.client_id }],
      [
        'par',
        '/api/oauth/par',
        {
          client_id: publicApp.client_id,
          redirect_uri: publicApp.redirect_uri,
          code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        },
      ],
      [
        'token',
        '/api/oauth/token',
        { client_id: device.client_id, grant_type: 'refresh_token', refresh_token: 'x' },
      ],
    ]

    for (const [what, path, fields] of endpoints)
      t.test(`GUE-04 ${what}: foreign pages are refused before anything is counted`, async (t) => {
        for (const headers of foreign)
          for (let at = 0; at < most * 2; at++) {
            const { status, body } = await post(issuer + path, fields, headers)
            t.match({ status, error: body.error }, { status: 400, error: 'invalid_request' })
          }
        for (let at = 0; at < most; at++)
          t.not((await post(issuer + path, fields)).status, 429, 'the visitor')
        t.equal((await post(issuer + path, fields)).status, 429, 'the endpoint has a limit')
      })

    t.test('GUE-04 foreign pages do not count at the legacy token endpoint', async (t) => {
      const app = await createApp(running, {
        name: 'Old',
        interface: 'legacy',
        client_type: 'public',
        permissions: ['readData'],
      })
      const path = `${issuer}/api/oauth/access_token`
      const fields = {
        client_id: app.client_id,
        grant_type: 'refresh_token',
        refresh_token: 'x',
      }
      for (const headers of foreign)
        for (let at = 0; at < most * 2; at++)
          t.match(await post(path, fields, headers), {
            status: 400,
            body: { error: 'invalid_request' },
          })
      for (let at = 0; at < most; at++)
        t.match(await post(path, fields), { body: { error: 'invalid_grant' } })
      t.equal((await post(path, fields)).status, 429)
    })

    t.test('GUE-05 failed authentications with an Origin are counted separately', async (t) => {
      const wrong = { client_secret: 'x', client_id: confidential.client_id, token: 'x' }
      const paths = ['token', 'access_token', 'par', 'device_authorization', 'introspect', 'revoke']
      const refused: number[] = []
      for (const path of paths)
        for (const headers of foreign)
          for (let at = 0; at < most * 2; at++)
            refused.push(
              (
                await post(
                  `${issuer}/api/oauth/${path}`,
                  { ...wrong, grant_type: 'refresh_token', refresh_token: 'x' },
                  headers,
                )
              ).status,
            )
      for (const headers of foreign)
        for (let at = 0; at < most * 2; at++)
          refused.push((await fetch(`${issuer}/api/oauth/revocations`, { headers })).status)
      t.ok(refused.every((status) => [400, 401, 429].includes(status)))
      t.ok(refused.includes(429), 'requests with an Origin are limited too')
      const visitor = await post(`${issuer}/api/oauth/revoke`, wrong)
      t.equal(visitor.status, 401, 'separate from the visitor’s own requests')
    })

    t.test('GUE-06 embedded and prefetched pages start no flow', async (t) => {
      const query = new URLSearchParams({
        client_id: publicApp.client_id,
        redirect_uri: publicApp.redirect_uri,
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      })
      const old = new URLSearchParams({ client_id: legacy.client_id, response_type: 'code' })
      const begin = (path: string, headers: Record<string, string> = {}) =>
        fetch(issuer + path, { redirect: 'manual', headers })
      for (const path of [`/authorize?${query}`, `/oauth/authorize?${old}`]) {
        for (const headers of [
          { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' },
          { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' },
          { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'cross-site' },
          { 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch' },
          { 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch;prerender' },
          { purpose: 'prefetch' },
        ])
          for (let at = 0; at < most * 2; at++)
            t.equal((await begin(path, headers)).status, 403, JSON.stringify(headers))
      }
      const posted = await fetch(`${issuer}/authorize`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: evil },
        body: query,
      })
      t.equal(posted.status, 303)
      t.match(posted.headers.get('location'), /^\/authorize\?/, 'sent again as a link')
      for (let at = 0; at < most; at++)
        t.equal((await begin(`/authorize?${query}`)).status, 303, 'the visitor')
    })

    t.test('GUE-06 embedded and prefetched pages start no sign-in', async (t) => {
      for (const headers of foreign)
        for (const path of ['/login', '/login/passkey/options', '/login/passkey']) {
          const body = new URLSearchParams({ email: 'a@b.test', password: 'x' })
          for (let at = 0; at < most * 2; at++) {
            const { status } = await fetch(issuer + path, { method: 'POST', headers, body })
            t.ok(status === 403 || (status === 404 && path !== '/login'), path)
          }
        }
    })
  },
  { environment },
)
