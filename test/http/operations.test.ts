import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Redis } from 'ioredis'
import pg from 'pg'
import t from 'tap'
import {
  createReadiness,
  mergeReadiness,
  type ReadinessAnswer,
} from '../../src/http/operations/readiness.ts'
import { eventually } from '../support/eventually.ts'
import { clientCredentials, post, refresh } from '../support/flows.ts'
import { freePort } from '../support/free-port.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { storesNamed } from '../support/open-stores.ts'
import { noPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { noRedis, startOwnRedis } from '../support/own-redis.ts'
import { sql } from '../support/traces.ts'
import { createWorld } from '../support/world.ts'

const read = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const health = async (issuer: string, which: 'live' | 'ready') => {
  const { status, headers, text } = await read(`${issuer}/health/${which}`)
  t.equal(headers.get('cache-control'), 'no-store')
  return { status, body: JSON.parse(text) }
}
const ready = { status: 200, body: { status: 'ok', down: [] } }

/** Waits until the server reports these stores as down; a check is cached for one second. */
const untilDown = (issuer: string, ...down: string[]) =>
  eventually(async () =>
    isDeepStrictEqual(await health(issuer, 'ready'), {
      status: 503,
      body: { status: 'unavailable', down },
    }),
  )

/** Waits until the server is ready again, without a restart. */
const untilReady = async (issuer: string) => {
  while ((await health(issuer, 'ready')).status !== 200) await sleep(50)
}

t.test(
  'readiness names the failing store, and liveness ignores the stores',
  noRedis || noPostgres || {},
  async (t) => {
    const [postgres, redis] = await Promise.all([startOwnPostgres(t), startOwnRedis(t)])
    const own = {
      name: 'servers' as const,
      databaseUrl: postgres.url,
      redisUrl: redis.url,
      drop: async () => undefined,
    }
    const running = await startLatchkey(own, { environment: { STORE_TIMEOUT_MS: '1500' } })
    t.teardown(() => running.stop())
    const { issuer } = running
    const isLive = async () =>
      t.same(await health(issuer, 'live'), { status: 200, body: { status: 'ok' } })
    t.same(await health(issuer, 'ready'), ready)

    redis.freeze()
    await untilDown(issuer, 'redis')
    await isLive()
    redis.thaw()
    await untilReady(issuer)

    await redis.kill()
    await untilDown(issuer, 'redis')
    await postgres.stop()
    await untilDown(issuer, 'postgres', 'redis')
    await isLive()
    await redis.start()
    await untilDown(issuer, 'postgres')
    await postgres.start()
    await untilReady(issuer)
    t.same(await health(issuer, 'ready'), ready)
  },
)

t.test(
  'readiness names the store that takes no writes, until it takes them again',
  noRedis || noPostgres || {},
  async (t) => {
    const [postgres, redis, primary] = await Promise.all([
      startOwnPostgres(t),
      startOwnRedis(t),
      startOwnRedis(t),
    ])
    const own = {
      name: 'servers' as const,
      databaseUrl: postgres.url,
      redisUrl: redis.url,
      drop: async () => undefined,
    }
    const running = await startLatchkey(own)
    t.teardown(() => running.stop())
    const { issuer } = running
    const [admin, control] = [new pg.Client(postgres.url), new Redis(redis.url)]
    await admin.connect()
    t.teardown(async () => {
      await admin.end()
      control.disconnect()
    })
    t.same(await health(issuer, 'ready'), ready)

    await admin.query('alter system set default_transaction_read_only = on')
    await admin.query('select pg_reload_conf()')
    await untilDown(issuer, 'postgres')
    await admin.query('alter system reset default_transaction_read_only')
    await admin.query('select pg_reload_conf()')
    await untilReady(issuer)

    await control.config('SET', 'maxmemory-policy', 'noeviction')
    await control.config('SET', 'maxmemory', '1')
    await untilDown(issuer, 'redis')
    await control.config('SET', 'maxmemory', '0')
    await untilReady(issuer)

    await control.replicaof('127.0.0.1', primary.port)
    await untilDown(issuer, 'redis')
    await control.replicaof('NO', 'ONE')
    await untilReady(issuer)
    t.same(await health(issuer, 'ready'), ready)
  },
)

t.test('embedded stores that take no writes are named', async (t) => {
  const embedded = await storesNamed('embedded')
  if (!embedded) {
    t.pass('only servers are tested')
    return
  }
  t.teardown(() => embedded.drop())
  const running = await startLatchkey(embedded)
  t.teardown(() => running.stop())
  const [row] = await sql<{ name: string }>(embedded, 'select current_database() as name')
  const set = async (how: string) => {
    const change = `alter database "${row?.name}" ${how}`
    await sql(embedded, `set transaction read write; ${change}`)
    await sql(
      embedded,
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    )
  }
  await set('set default_transaction_read_only = on')
  await untilDown(running.issuer, 'postgres')
  await set('reset default_transaction_read_only')
  await untilReady(running.issuer)
})

t.test('one check of the stores answers all probes within a second', async (t) => {
  let [checks, now, isAway] = [0, 1000, false]
  const check = async () => {
    checks++
    if (isAway) throw new Error('away')
  }
  const { open, guarded } = createReadiness(
    { stores: { postgres: check }, warnings: () => [], isClosing: () => false },
    () => now,
  )
  const all = await Promise.all(Array.from({ length: 50 }, (_, at) => (at % 2 ? open : guarded)()))
  t.ok(all.every(({ status }) => status === 200))
  t.equal(checks, 1)
  isAway = true
  now += 999
  t.match(await open(), { status: 200 })
  now += 1
  t.match(await open(), { status: 503, body: { down: ['postgres'] } }, 'noticed after one second')
  t.match(await guarded(), { status: 503 })
  t.equal(checks, 2)
  isAway = false
  now += 1000
  t.match(await open(), { status: 200 }, 'the return as well')
})

t.test('a server with several processes is ready when each process is', async (t) => {
  const fine: ReadinessAnswer = { status: 200, body: { status: 'ok', down: [], warnings: ['one'] } }
  const away: ReadinessAnswer = { status: 503, body: { status: 'unavailable', down: ['redis'] } }
  const merge = (...of: (ReadinessAnswer | null)[]) => mergeReadiness(of)
  t.same(merge(fine, fine), fine)
  t.same(merge(fine, away), {
    status: 503,
    body: { status: 'unavailable', down: ['redis'], warnings: ['one'] },
  })
  t.match(merge(fine, null), { status: 503 }, 'one process does not answer')
  t.match(merge(), { status: 503 }, 'no process exists')
})

const stores = (await storesNamed('embedded')) ?? (await storesNamed('servers'))
if (!stores) throw new Error('no store to test with')
t.teardown(() => stores.drop())

t.test('metrics require their token', async (t) => {
  const environment = { METRICS_TOKEN: 'metrics-token' }
  const running = await startLatchkey(stores, { environment })
  t.teardown(() => running.stop())
  const metrics = (authorization?: string) =>
    read(`${running.issuer}/metrics`, authorization === undefined ? {} : { authorization })
  const wrong = ['', 'Bearer', 'Bearer wrong', 'Bearer metrics-toke', 'metrics-token', 'Basic bWV0']
  for (const one of [undefined, ...wrong]) t.match(await metrics(one), { status: 401 }, String(one))
  t.equal((await metrics()).headers.get('www-authenticate'), 'Bearer')
  const { status, text, headers } = await metrics('Bearer metrics-token')
  t.equal(status, 200)
  t.match(headers.get('content-type'), 'text/plain')
  t.match(text, 'latchkey_http_request_duration_seconds')
  t.match(text, 'latchkey_webhooks_waiting 0')
  t.match(text, 'process_cpu_user_seconds_total')
  t.notMatch(text, 'metrics-token')
})

t.test('HEAD returns the status and headers of GET without a body', async (t) => {
  const running = await startLatchkey(stores)
  t.teardown(() => running.stop())
  const paths = [
    '/health/live',
    '/health/ready',
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
    '/.well-known/jwks.json',
    '/api/admin/v1/openapi.json',
  ]
  for (const path of paths) {
    const [head, get] = [
      await fetch(running.issuer + path, { method: 'HEAD' }),
      await fetch(running.issuer + path),
    ]
    t.equal(head.status, 200, path)
    t.equal(await head.text(), '')
    for (const name of ['content-type', 'content-length', 'cache-control'])
      t.equal(head.headers.get(name), get.headers.get(name), `${path} ${name}`)
  }
})

t.test('metrics can have a port of their own, which serves nothing else', async (t) => {
  const port = await freePort()
  const running = await startLatchkey(stores, { environment: { METRICS_PORT: String(port) } })
  t.teardown(() => running.stop())
  const own = `http://127.0.0.1:${port}`
  t.match(await read(`${own}/metrics`), { status: 200, text: 'latchkey_' })
  for (const path of ['/metrics', '/nowhere'])
    t.match((await fetch(own + path)).headers.get('x-request-id'), /^req_[\w-]{16}$/)
  t.same(JSON.parse((await read(`${own}/health/ready`)).text), ready.body)
  for (const path of ['/', '/health/live', '/api/oauth/token', '/.well-known/jwks.json'])
    t.equal((await read(own + path)).status, 404, path)
  t.equal((await read(`${running.issuer}/metrics`)).status, 404, 'not on the public port')
})

t.test('metrics can be disabled', async (t) => {
  const running = await startLatchkey(stores)
  t.teardown(() => running.stop())
  t.equal((await read(`${running.issuer}/metrics`)).status, 404)
  t.same(await health(running.issuer, 'ready'), ready)
})

t.test('token requests are counted and timed under known labels only', async (t) => {
  const environment = { METRICS_TOKEN: 'metrics-token', LIMIT_CLIENT_FAILURES: '1' }
  const running = await startLatchkey(stores, { environment })
  t.teardown(() => running.stop())
  const { confidential, acme } = await createWorld(running)
  const { issuer } = running
  await clientCredentials(issuer, confidential, acme)
  await refresh(issuer, confidential, 'no-such-token')
  for (const grant_type of ['invented', 'invented', '__proto__'])
    await post(`${issuer}/api/oauth/token`, { grant_type })
  for (let index = 0; index < 2; index++)
    await clientCredentials(issuer, confidential, acme, { client_secret: 'x' })
  const headers = { authorization: 'Bearer metrics-token' }
  const { text } = await read(`${issuer}/metrics`, headers)
  const labels = (grant: string, outcome: string) =>
    `interface="current",grant_type="${grant}",outcome="${outcome}"`
  const name = 'latchkey_token_request_duration_seconds_count'
  for (const [grant, outcome, count] of [
    ['client_credentials', 'ok', 1],
    ['refresh_token', 'invalid_grant', 1],
    ['other', 'unsupported_grant_type', 3],
    ['client_credentials', 'invalid_client', 1],
    ['client_credentials', 'slow_down', 1],
  ])
    t.match(text, `${name}{${labels(String(grant), String(outcome))}} ${count}`)
  t.match(text, `{${labels('refresh_token', 'invalid_grant')},reason="token_unreadable"} 1`)
  t.match(text, 'latchkey_requests_limited_total{reason="client_failures"} 1')
  t.notMatch(text, /invented|__proto__/)
})
