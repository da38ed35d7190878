import { randomBytes } from 'node:crypto'
import { clientCredentials, currentCode, exchangeCode, post } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import type { TestApp } from '../support/world.ts'

const most = 5
const environment = { LIMIT_CLIENT_FAILURES: String(most) }

const guess = (url: string, app: TestApp, headers: Record<string, string> = {}) =>
  post(
    `${url}/api/oauth/token`,
    {
      grant_type: 'client_credentials',
      organization_id: 'org',
      client_id: app.client_id,
      client_secret: 'x',
    },
    headers,
  )

const basic = (app: TestApp, secret: string) =>
  `Basic ${Buffer.from(`${app.client_id}:${secret}`).toString('base64')}`

await onEachBackend(
  'failed client authentications',
  async (t, { running, issuer, world }) => {
    const { confidential, second, publicApp, legacy, acme, ana } = world
    const url = (at: number) => running.urls[at % running.urls.length] as string

    t.test('CLI-11 failures are limited across all instances together', async (t) => {
      for (let at = 0; at < most; at++) t.equal((await guess(url(at), confidential)).status, 401)
      for (let at = 0; at < 4; at++) {
        const answer = await guess(url(at), confidential, {
          'x-forwarded-for': `10.0.0.${at}`,
          forwarded: `for=10.0.1.${at}`,
          'x-real-ip': `10.0.2.${at}`,
          'client-ip': `10.0.3.${at}`,
        })
        t.equal(answer.status, 429, 'X-Forwarded-For does not help')
        t.match(answer.headers.get('retry-after'), /^[1-9]\d?$/)
        t.match(answer.body, { error: /^[a-z_]+$/ })
        t.equal(answer.headers.get('cache-control'), 'no-store')
      }
      t.equal((await guess(issuer, second)).status, 401, 'another client is not limited')
      t.equal((await clientCredentials(issuer, second, acme)).status, 200)
    })

    t.test(
      'CLI-11 Basic, PAR and the legacy endpoint count failures for each client separately',
      async (t) => {
        const body = { grant_type: 'client_credentials', organization_id: 'org' }
        for (let at = 0; at < most; at++) {
          const authorization = basic(legacy, randomBytes(8).toString('hex'))
          const fields = { grant_type: 'refresh_token', refresh_token: 'x' }
          const answer = await post(`${issuer}/api/oauth/access_token`, fields, { authorization })
          t.equal(answer.status, 401)
        }
        const limited = await post(
          `${issuer}/api/oauth/access_token`,
          { grant_type: 'refresh_token', refresh_token: 'x' },
          { authorization: basic(legacy, 'x') },
        )
        t.equal(limited.status, 429)
        const free = await post(`${issuer}/api/oauth/token`, body, {
          authorization: basic(second, 'x'),
        })
        t.equal(free.status, 401, 'other clients that use Basic are not limited')
        for (let at = 0; at < most; at++)
          await post(`${issuer}/api/oauth/par`, {
            client_id: publicApp.client_id,
            client_secret: 'x',
          })
        const par = await post(`${issuer}/api/oauth/par`, {
          client_id: publicApp.client_id,
          client_secret: 'x',
        })
        t.equal(par.status, 429)
        const grant = await currentCode(running, publicApp, ana, {}, await signedIn(issuer, ana))
        t.equal(
          (await exchangeCode(issuer, publicApp, grant)).status,
          200,
          'users of the client are not limited',
        )
      },
    )

    t.test('failures of unknown clients are counted for each client_id separately', async (t) => {
      const made = { client_id: 'app0000000000000000000', client_secret: '', redirect_uri: '' }
      for (let at = 0; at < most; at++) t.equal((await guess(issuer, made)).status, 401)
      t.equal((await guess(issuer, made)).status, 429)
      t.equal((await guess(issuer, { ...made, client_id: 'app1' })).status, 401)
    })

    t.test('failed assertions are counted for the client that sub names', async (t) => {
      const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const forged = (app: TestApp) =>
        post(`${issuer}/api/oauth/token`, {
          grant_type: 'client_credentials',
          organization_id: 'org',
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: `${encode({ alg: 'ES256' })}.${encode({ sub: app.client_id })}.AAAA`,
        })
      const made = (id: string) => ({ client_id: id, client_secret: '', redirect_uri: '' })
      const [one, other] = [made('app000000000000000key1'), made('app000000000000000key2')]
      for (let at = 0; at < most; at++) t.equal((await forged(one)).status, 401)
      t.equal((await forged(one)).status, 429)
      t.equal((await forged(other)).status, 401, 'another client is not limited')
    })

    t.test('successful authentications are not counted', async (t) => {
      for (let at = 0; at < most * 3; at++)
        t.equal((await clientCredentials(issuer, second, acme)).status, 200)
    })
  },
  { instances: 2, environment },
)

await onEachBackend(
  'failed client authentications behind a proxy',
  async (t, { issuer, world }) => {
    const { confidential, acme } = world
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const right = (address: string) =>
      post(
        `${issuer}/api/oauth/token`,
        {
          grant_type: 'client_credentials',
          organization_id: acme,
          client_id: confidential.client_id,
          client_secret: confidential.client_secret,
        },
        from(address),
      )

    t.test('CLI-11 HTTP-02 the attacker is limited, the client is not locked out', async (t) => {
      for (let at = 0; at < most; at++)
        t.equal((await guess(issuer, confidential, from('192.0.2.1'))).status, 401)
      t.equal((await guess(issuer, confidential, from('192.0.2.1'))).status, 429)
      // An address that the attacker prepends is not the one that the proxy saw.
      const spoofed = await guess(issuer, confidential, from('203.0.113.9, 192.0.2.1'))
      t.equal(spoofed.status, 429)
      t.equal((await right('198.51.100.7')).status, 200, 'from another address')
      t.equal((await guess(issuer, confidential, from('198.51.100.7'))).status, 401)
    })

    t.test('CLI-11 HTTP-02 each form of an address counts as this address', async (t) => {
      const forms = [
        ...Array.from({ length: most }, (_, at) => `203.0.113.51:${20_000 + at}`),
        '::ffff:203.0.113.51',
        '[::ffff:cb00:7133]:443',
        '"203.0.113.51"',
      ]
      const statuses: number[] = []
      for (const form of forms)
        statuses.push((await guess(issuer, confidential, from(form))).status)
      t.strictSame(statuses, [...Array(most).fill(401), 429, 429, 429])
      for (let at = 0; at < most; at++)
        await guess(issuer, confidential, from(`[2001:db8:7::${at}]:${20_000 + at}`))
      const neighbour = await guess(issuer, confidential, from('2001:DB8:7:0:1::%eth0'))
      t.equal(neighbour.status, 429, 'an IPv6 network counts together')
    })
  },
  { environment: { ...environment, TRUSTED_PROXIES: '127.0.0.1' } },
)
