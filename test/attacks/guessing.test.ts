/** Wrong secrets of resource servers and operators, and their cost. */
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { newSecret } from '../../src/core/crypto/identifiers.ts'
import { eventually } from '../support/eventually.ts'
import { clientCredentials, post } from '../support/flows.ts'
import { operatorToken, startLatchkey } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { relayTo } from '../support/relay.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { postgresStatements, redisCommands } from '../support/statements.ts'
import { testStores } from '../support/stores.ts'
import { createWorld } from '../support/world.ts'

const most = 5
const environment = {
  LIMIT_CLIENT_FAILURES: String(most),
  METRICS_TOKEN: 'metrics-token-of-the-tests',
}

const madeUp = newSecret('operatorToken')

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

await onEachBackend(
  'guessing',
  async (t, { running, issuer, world }) => {
    const { acme, confidential } = world
    const url = (at: number) => running.urls[at % running.urls.length] as string
    const feed = (at: number, headers: Record<string, string>) =>
      fetch(`${url(at)}/api/oauth/revocations`, { headers })
    const trail = async (query: string) =>
      (await running.operator('GET', `/audit?${query}&limit=100`)).body.items

    t.test('GUE-01 wrong secrets of a resource server are limited and audited', async (t) => {
      for (const ask of [
        async (at: number, id: string, secret: string) =>
          (await feed(at, basic(id, secret))).status,
        async (at: number, id: string, secret: string) =>
          (await introspectAt(url(at), basic(id, secret), 'x')).status,
      ]) {
        const server = await registerResourceServer(running)
        for (let at = 0; at < most; at++) t.equal(await ask(at, server.clientId, `x${at}`), 401)
        for (let at = 0; at < 4; at++) t.equal(await ask(at, server.clientId, `y${at}`), 429)
        for (let at = 0; at < 4; at++)
          t.equal(
            await ask(at, server.clientId, server.clientSecret),
            200,
            'the correct secret is still accepted',
          )
        await eventually(
          async () =>
            (await trail(`client_id=${server.clientId}&type=token.refused`)).length >= most,
        )
        await sleep(1100) // Further ones would be written by now.
        const events = await trail(`client_id=${server.clientId}&type=token.refused`)
        t.equal(events.length, most, 'each failure up to the limit, and no more')
        t.match(events[0], { detail: { reason: 'secret_wrong' }, address: '127.0.0.1' })
      }
    })

    t.test(
      'GUE-01 the revocation feed sends Retry-After and audits no unknown names',
      async (t) => {
        for (let at = 0; at < most; at++) await feed(at, basic('rsv000000000', 'x'))
        const answer = await feed(0, basic('rsv000000000', 'x'))
        t.equal(answer.status, 429)
        t.match(answer.headers.get('retry-after'), /^[1-9]\d?$/)
        t.match(await answer.json(), { error: 'slow_down' })
        await sleep(1100)
        t.same(await trail('client_id=rsv000000000'), [])
      },
    )

    const asOperator = (at: number, token: string) =>
      fetch(`${url(at)}/api/admin/v1/users?limit=1`, {
        headers: { authorization: `Bearer ${token}` },
      })

    t.test('GUE-02 wrong operator tokens are limited, audited and counted', async (t) => {
      const named = await running.operator('POST', '/users', { email: 'o@acme.test', name: 'O' })
      t.equal(named.status, 201)
      for (let at = 0; at < most; at++)
        t.equal(
          (await asOperator(at, at % 2 ? newSecret('operatorToken') : `guess-${at}`)).status,
          401,
        )
      for (let at = 0; at < 6; at++) {
        const wrong = at < 2 ? 'the-same-guess' : at % 2 ? newSecret('operatorToken') : `more-${at}`
        const answer = await asOperator(at, wrong)
        t.equal(answer.status, 429, `${at}`)
        t.match(answer.headers.get('retry-after'), /^[1-9]\d?$/)
        t.match(answer.headers.get('content-type'), 'application/problem+json')
        t.match(await answer.json(), { status: 429, title: 'Too Many Requests' })
        t.equal(
          (await asOperator(at, operatorToken)).status,
          200,
          'the correct token is still accepted',
        )
      }
      await eventually(async () => (await trail('type=operator_token.refused')).length >= most)
      await sleep(1100)
      const events = await trail('type=operator_token.refused')
      t.equal(events.length, most)
      t.match(events[0], { actor: { kind: 'anonymous' }, detail: { reason: 'wrong_token' } })
      t.notMatch(JSON.stringify(events), /lkop_|guess/)
      const headers = { authorization: `Bearer ${environment.METRICS_TOKEN}` }
      const counts = await Promise.all(
        running.urls.map(async (one) => {
          const text = await (await fetch(`${one}/metrics`, { headers })).text()
          return Number(/latchkey_operator_tokens_refused_total (\d+)/.exec(text)?.[1])
        }),
      )
      t.equal(
        counts.reduce((sum, one) => sum + one, 0),
        most + 6,
      )
    })

    t.test('GUE-02 a missing operator token is not counted as a guess', async (t) => {
      for (let at = 0; at < most * 2; at++) {
        const answer = await fetch(`${url(at)}/api/admin/v1/users`)
        t.equal(answer.status, 401)
      }
      t.equal((await clientCredentials(issuer, confidential, acme)).status, 200)
    })
  },
  { instances: 2, environment },
)

for (const stores of await testStores()) {
  t.test(`GUE-03 repeated wrong secrets cost no store any command (${stores.name})`, async (t) => {
    let requested = 0
    const postgres = await relayTo(
      stores.databaseUrl,
      postgresStatements(() => requested++),
    )
    const redis = stores.redisUrl
      ? await relayTo(
          stores.redisUrl,
          redisCommands(() => requested++),
        )
      : null
    const running = await startLatchkey(
      { ...stores, databaseUrl: postgres.url, redisUrl: redis?.url ?? null },
      { environment },
    )
    t.teardown(async () => {
      await running.stop()
      await postgres.close()
      await redis?.close()
      await stores.drop()
    })
    const { issuer } = running
    const { confidential } = await createWorld(running)
    const server = await registerResourceServer(running)
    const fields = {
      grant_type: 'refresh_token',
      refresh_token: 'x',
      client_id: confidential.client_id,
    }
    const ways: [what: string, ask: () => Promise<{ status: number }>][] = [
      [
        'feed',
        () => fetch(`${issuer}/api/oauth/revocations`, { headers: basic(server.clientId, 'x') }),
      ],
      ['introspection', () => introspectAt(issuer, basic(server.clientId, 'x'), 'x')],
      ['token', () => post(`${issuer}/api/oauth/token`, { ...fields, client_secret: 'x' })],
      [
        'operator',
        () =>
          fetch(`${issuer}/api/admin/v1/users`, {
            headers: { authorization: `Bearer ${madeUp}` },
          }),
      ],
    ]
    for (const [what, ask] of ways) {
      while ((await ask()).status !== 429);
      const before = requested
      for (let at = 0; at < 100; at++) t.equal((await ask()).status, 429, what)
      // Background work still runs (keys, time, audit), and a cached wrong secret is looked up
      // again after two seconds.
      t.ok(requested - before < 60, `${what}: ${requested - before} for 100 requests`)
    }
  })
}
