/**
 * F-01, F-06: Redis is killed, frozen, or delays every command, while apps refresh their tokens.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { type Chain, keepRotating, newChains, replayAll } from '../support/chains.ts'
import { eventually } from '../support/eventually.ts'
import { clientCredentials, refresh } from '../support/flows.ts'
import { storesNamed } from '../support/open-stores.ts'
import { noRedis, type OwnRedis, startOwnRedis } from '../support/own-redis.ts'
import {
  createKeySet,
  introspectAt,
  registerResourceServer,
  selfSign,
} from '../support/resource-server.ts'
import { startServerProcess } from '../support/server-process.ts'
import { createWorld } from '../support/world.ts'

const storeTimeout = 1000
/** Generous: a busy machine is no fault, but no request may wait for a store without a limit. */
const longest = storeTimeout * 5
const families = 12
/** Much longer than all requests of that time take. */
const pause = 12_000

interface Stall {
  name: string
  begin(redis: OwnRedis): Promise<void>
  end(redis: OwnRedis): Promise<void>
}

const stalls: Stall[] = [
  {
    name: 'F-01 Redis is killed and started again',
    begin: (redis) => redis.kill(),
    end: (redis) => redis.start(),
  },
  {
    name: 'F-01 Redis is frozen (SIGSTOP) and continues',
    begin: async (redis) => redis.freeze(),
    end: async (redis) => redis.thaw(),
  },
  {
    name: 'F-06 Redis delays every command (CLIENT PAUSE)',
    begin: async ({ port }) => {
      const admin = new Redis(port)
      await admin.client('PAUSE', pause, 'ALL')
      admin.disconnect()
    },
    end: async () => undefined, // UNPAUSE would be delayed too; the pause ends by itself.
  },
]

const started = async (t: Test) => {
  const [stores, redis] = await Promise.all([storesNamed('servers'), startOwnRedis(t)])
  if (!stores) throw new Error('there is no Postgres to test with')
  t.teardown(() => stores.drop())
  const server = await startServerProcess(t, {
    stores: { ...stores, redisUrl: redis.url },
    environment: { STORE_TIMEOUT_MS: String(storeTimeout) },
  })
  return { redis, server, world: await createWorld(server) }
}

for (const stall of stalls) {
  t.test(stall.name, noRedis || {}, async (t) => {
    const { redis, server, world } = await started(t)
    const { confidential: app, acme, ana } = world
    const keySet = await createKeySet(server, acme)
    const resourceServer = await registerResourceServer(server)
    const chains = await newChains(server, app, ana, families)
    const idle = await newChains(server, app, ana, 2)

    const rotating = keepRotating(chains, app, () => server.url, 20)
    await eventually(() => rotating.tally.ok > families)
    await stall.begin(redis)
    await sleep(100) // Earlier introspection results may be cached.
    const requested = idle.map(({ tokens }) => refresh(server.url, app, tokens[0] as string))
    for (const { status, headers, body } of await Promise.all(requested)) {
      t.equal(status, 503)
      t.match(headers.get('retry-after'), /^[1-9]/)
      t.match(body, { error: 'temporarily_unavailable' })
    }
    t.equal((await clientCredentials(server.url, app, acme)).status, 200, 'the app itself')
    const token = selfSign(keySet.secret, {
      iss: keySet.client_id,
      iat: Math.floor(Date.now() / 1000),
    })
    const seen = await introspectAt(server.url, resourceServer, token)
    t.match(seen.body, { active: true }, 'a self-signed token')
    const ready = await fetch(`${server.url}/health/ready`)
    t.match([ready.status, await ready.json()], [503, { down: ['redis'] }])
    t.equal((await fetch(`${server.url}/health/live`)).status, 200)

    const before = rotating.tally.ok
    await sleep(1500)
    t.equal(rotating.tally.ok, before, 'nothing is issued meanwhile')
    await stall.end(redis)
    await eventually(() => rotating.tally.ok > before + families)
    const tally = await rotating.stop()
    t.ok(tally.away > 0, `${tally.away} were told to come again, ${tally.ok} went well`)
    t.ok(tally.slowest < longest, `the slowest answer took ${Math.round(tally.slowest)} ms`)
    t.same([tally.odd, tally.lost, tally.twice], [[], 0, 0])
    await unspent(t, server.url, app, idle)
    await replayAll(t, server.url, app, chains)
  })
}

const unspent = async (
  t: Test,
  url: string,
  app: Parameters<typeof refresh>[1],
  chains: Chain[],
) => {
  for (const { tokens } of chains) {
    t.equal(
      (await refresh(url, app, tokens[0] as string)).status,
      200,
      'tokens that got 503 are not consumed',
    )
  }
}
