/**
 * A store fails during all kinds of requests and returns. A request without a response has consumed
 * nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import {
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyCode,
  legacyToken,
  refresh,
  type TokenResponse,
} from '../support/flows.ts'
import { type Running, startLatchkey } from '../support/latchkey.ts'
import { storesNamed } from '../support/open-stores.ts'
import { noPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { noRedis, startOwnRedis } from '../support/own-redis.ts'
import { relayTo } from '../support/relay.ts'
import { testStores } from '../support/stores.ts'
import { createVisitor } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

/** The default timeout of a server. */
const usual = { STORE_TIMEOUT_MS: '1500' }

const untilReady = async ({ issuer }: Running) => {
  while ((await fetch(`${issuer}/health/ready`)).status !== 200) await sleep(50)
}

const isAway = (t: Test, answer: TokenResponse, what: string) => {
  t.match(answer, { status: 503, body: { error: 'temporarily_unavailable' } }, what)
  t.match(answer.headers.get('retry-after'), /^[1-9]\d*$/)
  t.equal(answer.headers.get('cache-control'), 'no-store')
  t.notMatch(JSON.stringify(answer.body), /redis|postgres|econn|timeout/i)
}

/** Unused codes and refresh tokens of both interfaces. */
const unspent = async (running: Running) => {
  const { issuer } = running
  const { confidential, legacy, ana, acme } = await createWorld(running)
  const visitor = createVisitor(issuer)
  const newCode = () => currentCode(running, confidential, ana, {}, visitor)
  const tokens = async () => (await exchangeCode(issuer, confidential, await newCode())).body
  const oldCode = async () => (await legacyCode(running, legacy, ana, {}, visitor)).code
  const exchangeOld = (code: string) =>
    legacyToken(issuer, legacy, { grant_type: 'authorization_code', code })
  const oldTokens = (await exchangeOld(await oldCode())).body
  const [{ refresh_token: token }, grant, code] = [await tokens(), await newCode(), await oldCode()]
  const requests: [string, () => Promise<TokenResponse>][] = [
    ['a refresh', () => refresh(issuer, confidential, token)],
    ['a code', () => exchangeCode(issuer, confidential, grant)],
    [
      'a legacy refresh',
      () =>
        legacyToken(issuer, legacy, {
          grant_type: 'refresh_token',
          refresh_token: oldTokens.refresh_token,
        }),
    ],
    ['a legacy code', () => exchangeOld(code)],
  ]
  return {
    requests,
    forApp: () => clientCredentials(issuer, confidential, acme),
    /** Each of them, and all at once. */
    areAway: async (t: Test) => {
      const answers = await Promise.all(requests.map(([, send]) => send()))
      for (const [at, [what]] of requests.entries()) isAway(t, answers[at] as TokenResponse, what)
    },
    workOnce: async (t: Test) => {
      for (const [what, send] of requests) {
        t.equal((await send()).status, 200, `${what} works`)
        t.match(await send(), { status: 400, body: { error: 'invalid_grant' } }, 'once')
      }
    },
  }
}

t.test('F-01 nothing is lost when Redis dies and is started again', noRedis || {}, async (t) => {
  const [stores, redis] = await Promise.all([storesNamed('servers'), startOwnRedis(t)])
  if (!stores) return
  // The limit would need Redis too.
  const environment = { ...usual, LIMIT_TOKEN_REQUESTS: '1000' }
  const running = await startLatchkey({ ...stores, redisUrl: redis.url }, { environment })
  t.teardown(async () => {
    await running.stop()
    await stores.drop()
  })
  const { areAway, forApp, workOnce } = await unspent(running)
  await redis.kill()
  await areAway(t)
  t.equal((await forApp()).status, 200, 'client_credentials needs no Redis')
  await redis.start()
  await untilReady(running)
  await workOnce(t)
})

t.test('F-01 nothing is lost when Redis freezes for three seconds', noRedis || {}, async (t) => {
  const [stores, redis] = await Promise.all([storesNamed('servers'), startOwnRedis(t)])
  if (!stores) return
  const running = await startLatchkey({ ...stores, redisUrl: redis.url }, { environment: usual })
  t.teardown(async () => {
    await running.stop()
    await stores.drop()
  })
  const { areAway, forApp, workOnce } = await unspent(running)
  redis.freeze()
  const still = sleep(3000)
  await areAway(t) // Served without Redis, which is frozen all the time.
  t.equal((await forApp()).status, 200, 'client_credentials needs no Redis')
  await still
  redis.thaw()
  await untilReady(running)
  await workOnce(t)
})

t.test(
  'F-08 nothing is lost when Postgres dies and is started again',
  noPostgres || {},
  async (t) => {
    const [stores, postgres] = await Promise.all([storesNamed('servers'), startOwnPostgres(t)])
    const redisUrl = stores?.redisUrl ?? null
    const running = await startLatchkey(
      { databaseUrl: postgres.url, redisUrl },
      { environment: usual },
    )
    t.teardown(async () => {
      await running.stop()
      await stores?.drop()
    })
    const { areAway, forApp, workOnce } = await unspent(running)
    await postgres.stop()
    await areAway(t)
    isAway(t, await forApp(), 'the app itself')
    await postgres.start()
    await untilReady(running)
    await workOnce(t)
    t.equal((await forApp()).status, 200)
  },
)

for (const stores of await testStores()) {
  t.test(`F-08 nothing is lost when Postgres is silent for a while (${stores.name})`, async (t) => {
    const relay = await relayTo(stores.databaseUrl)
    const environment = { STORE_TIMEOUT_MS: '3000' }
    const running = await startLatchkey({ ...stores, databaseUrl: relay.url }, { environment })
    t.teardown(async () => {
      relay.resume()
      await running.stop()
      await relay.close()
      await stores.drop()
    })
    const { areAway, workOnce } = await unspent(running)
    relay.stall()
    await areAway(t)
    relay.resume()
    await sleep(300) // The delayed commands arrive now.
    await untilReady(running)
    await workOnce(t)
  })
}
