// Nightly: it waits for Sentinel.
/** F-03: the primary dies and a replica takes over; and a cluster works like a single Redis. */
import t from 'tap'
import { openRedis } from '../contracts/backends.ts'
import { familyContract } from '../contracts/families.ts'
import { counterContract, recordContract } from '../contracts/records.ts'
import { keepRotating, newChains, replayAll } from '../support/chains.ts'
import { eventually } from '../support/eventually.ts'
import { storesNamed } from '../support/open-stores.ts'
import { noRedis } from '../support/own-redis.ts'
import { startCluster, startSentinels } from '../support/redis-programs.ts'
import { startServerProcess } from '../support/server-process.ts'
import { createWorld } from '../support/world.ts'

const families = 16

t.test(
  'F-03 service continues after the primary is killed under load (Sentinel)',
  noRedis || {},
  async (t) => {
    const [stores, redis] = await Promise.all([storesNamed('servers'), startSentinels(t)])
    if (!stores) throw new Error('there is no Postgres to test with')
    t.teardown(() => stores.drop())
    const server = await startServerProcess(t, {
      stores: { ...stores, redisUrl: redis.url },
      environment: { REDIS_WAIT_REPLICAS: '1', STORE_TIMEOUT_MS: '1500' },
    })
    const { confidential: app, ana } = await createWorld(server)
    const chains = await newChains(server, app, ana, families)
    const rotating = keepRotating(chains, app, () => server.url, 20)
    await eventually(() => rotating.tally.ok > families * 4)
    await redis.primary.kill()
    await eventually(() => rotating.tally.away > families)
    await eventually(async () => (await fetch(`${server.url}/health/ready`)).status === 200)
    const { ok, away, odd, lost, twice, unexplained } = await rotating.stop()
    t.same([odd, lost, twice, unexplained], [[], 0, 0, 0], `${ok} went well, ${away} got 503`)
    // There is no further replica to wait for: the operator accepts the new primary alone.
    const alone = await startServerProcess(t, {
      stores: { ...stores, redisUrl: redis.url },
      environment: { ISSUER: server.url },
    })
    await replayAll(t, alone.url, app, chains)
    // The first server may keep a stale connection for a moment after the failover.
    let fresh: Awaited<ReturnType<typeof newChains>> = []
    await eventually(async () => {
      fresh = await newChains(server, app, ana, 2, alone.url).catch(() => [])
      return fresh.length > 0
    })
    const again = keepRotating(fresh, app, () => alone.url, 20)
    await eventually(() => again.tally.ok > 10)
    t.match(await again.stop(), { odd: [], away: 0, invalidGrant: 0 }, 'service continues')
  },
)

t.test('F-03 every flow works on a cluster of three nodes', noRedis || {}, async (t) => {
  const { url } = await startCluster(t)
  const backend = { name: 'Redis Cluster', open: (options?: object) => openRedis(url, options) }
  await t.test('families', (t) => familyContract(t, backend))
  await t.test('records', (t) => recordContract(t, backend))
  await t.test('counters', (t) => counterContract(t, backend))
})
