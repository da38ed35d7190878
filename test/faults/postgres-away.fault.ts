/**
 * F-08, F-09, F-10: Postgres is stopped at once, a table is locked, and its connections are closed,
 * under load.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t, { type Test } from 'tap'
import { keepRotating, newChains, newTally, replayAll, rotate } from '../support/chains.ts'
import { eventually } from '../support/eventually.ts'
import { currentCode, exchangeCode } from '../support/flows.ts'
import { storesNamed } from '../support/open-stores.ts'
import { noPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { startServerProcess } from '../support/server-process.ts'
import { createWorld } from '../support/world.ts'

const families = 12
const longestHealth = 1000 // ms
const storeTimeout = 3000
const poolSize = 5
/** Generous: a busy machine is no fault, but no request may wait for a store without a limit. */
const longest = storeTimeout * 6

const started = async (t: Test, timeout = storeTimeout) => {
  const [stores, postgres] = await Promise.all([storesNamed('servers'), startOwnPostgres(t)])
  t.teardown(() => stores?.drop())
  const server = await startServerProcess(t, {
    stores: { databaseUrl: postgres.url, redisUrl: stores?.redisUrl ?? null },
    environment: {
      STORE_TIMEOUT_MS: String(timeout),
      DATABASE_POOL_SIZE: String(poolSize),
    },
  })
  const admin = async () => {
    const client = new pg.Client(postgres.url)
    client.on('error', () => undefined)
    await client.connect()
    t.teardown(() => client.end())
    return client
  }
  return { postgres, admin, server, world: await createWorld(server) }
}

t.test(
  'F-08 a Postgres that stops under load consumes nothing that got 503',
  noPostgres || {},
  async (t) => {
    const { postgres, server, world } = await started(t)
    const { confidential: app, ana } = world
    const [chains, idle] = [
      await newChains(server, app, ana, families),
      await newChains(server, app, ana, 3),
    ]
    const rotating = keepRotating(chains, app, () => server.url, 20)
    await eventually(() => rotating.tally.ok > families)
    const code = await currentCode(server, app, ana) // It lives for a minute.
    await postgres.stop()
    for (const chain of idle)
      t.match((await rotate(server.url, app, chain, newTally()))?.status, 503, 'a refresh')
    t.match(await exchangeCode(server.url, app, code), { status: 503 }, 'a code')
    t.equal((await fetch(`${server.url}/login`)).status < 504, true)
    t.equal(
      (await fetch(`${server.url}/.well-known/jwks.json`)).status,
      200,
      'the keys are still served',
    )
    t.equal((await fetch(`${server.url}/health/live`)).status, 200)
    const before = rotating.tally.ok
    await sleep(1000)
    t.equal(rotating.tally.ok, before, 'nothing is issued meanwhile')
    await postgres.start()
    await eventually(() => rotating.tally.ok > before + families)
    t.match(await exchangeCode(server.url, app, code), { status: 200 }, 'the code is not consumed')
    const tally = await rotating.stop()
    for (const chain of idle)
      t.match((await rotate(server.url, app, chain, newTally()))?.status, 200, 'nor are the tokens')
    t.same([tally.odd, tally.lost, tally.twice, tally.invalidGrant], [[], 0, 0, 0])
    t.ok(tally.slowest < longest, `the slowest answer took ${Math.round(tally.slowest)} ms`)
    await replayAll(t, server.url, app, chains)
  },
)

t.test(
  'F-09 a locked table causes 503 in time, and health stays quick',
  noPostgres || {},
  async (t) => {
    const { admin, server, world } = await started(t)
    const { confidential: app, ana } = world
    const resourceServer = await registerResourceServer(server)
    const chains = await newChains(server, app, ana, families)
    const rotating = keepRotating(chains, app, () => server.url, 20)
    await eventually(() => rotating.tally.ok > families)
    const client = await admin()
    await client.query('begin; lock table apps in access exclusive mode')
    await eventually(() => rotating.tally.away > families)
    const took: number[] = []
    for (let tries = 0; tries < 3; tries++) {
      const began = performance.now()
      t.equal((await fetch(`${server.url}/health/live`)).status, 200)
      took.push(performance.now() - began)
    }
    t.ok(Math.min(...took) < longestHealth, 'the event loop is free')
    // A token of another form may be one of an earlier server, which only the locked tables know.
    const forged = await introspectAt(server.url, resourceServer, 'lkrt_forged')
    t.match(forged, { body: { active: false } })
    await client.query('rollback')
    const before = rotating.tally.ok
    await eventually(() => rotating.tally.ok > before + families)
    const tally = await rotating.stop()
    t.same([tally.odd, tally.lost, tally.twice, tally.invalidGrant], [[], 0, 0, 0])
    t.ok(tally.slowest < longest, `the slowest answer took ${Math.round(tally.slowest)} ms`)
    await replayAll(t, server.url, app, chains)
  },
)

t.test(
  'F-10 service survives when all connections are closed repeatedly',
  noPostgres || {},
  async (t) => {
    // No other reason may cause a 503.
    const { admin, server, world } = await started(t, 5000)
    const { confidential: app, ana } = world
    const chains = await newChains(server, app, ana, families)
    const rotating = keepRotating(chains, app, () => server.url, 5)
    const client = await admin()
    const kills = 10
    for (let kill = 0; kill < kills; kill++) {
      const before = rotating.tally.ok
      await eventually(() => rotating.tally.ok > before + 2 * families)
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'latchkey' and pid <> pg_backend_pid()`,
      )
    }
    const tally = await rotating.stop()
    t.ok(tally.away <= kills * poolSize, `${tally.away} of ${tally.ok} were told to come again`)
    t.same([tally.odd, tally.lost, tally.twice, tally.invalidGrant], [[], 0, 0, 0])
    await replayAll(t, server.url, app, chains)
  },
)
