// Nightly: it starts a cluster of six Redis.
/** F-03: a primary of a Redis Cluster is killed under load, and its replica takes over. */
import t, { type Test } from 'tap'
import { keepRotating, replayAll } from '../support/chains.ts'
import { eventually } from '../support/eventually.ts'
import { storesNamed } from '../support/open-stores.ts'
import { noRedis } from '../support/own-redis.ts'
import { startCluster } from '../support/redis-programs.ts'
import { seededChains } from '../support/seeded-chains.ts'
import { startServerProcess } from '../support/server-process.ts'
import { createWorld } from '../support/world.ts'

const families = 600
const clients = 16
/** Generous: it takes one second on an idle machine. */
const longestReturn = 20_000

type Cluster = Awaited<ReturnType<typeof startCluster>>

const started = async (t: Test, environment: Record<string, string>) => {
  const [stores, cluster] = await Promise.all([storesNamed('servers'), startCluster(t, 1)])
  if (!stores) throw new Error('there is no Postgres to test with')
  t.teardown(() => stores.drop())
  const clustered = { ...stores, redisUrl: cluster.url }
  const server = await startServerProcess(t, {
    stores: clustered,
    environment: { STORE_TIMEOUT_MS: '1500', ...environment },
  })
  const { confidential: app, ana } = await createWorld(server)
  const chains = await seededChains(clustered, server, app, ana, families)
  return { cluster, server, app, chains }
}

/** The cluster has agreed on three available primaries. */
const hasChosen = async ({ lookAtAll }: Cluster) => {
  const seen = await lookAtAll()
  return seen.every(
    ({ isOk, nodes }) =>
      isOk && nodes.filter(({ isPrimary, isUp }) => isPrimary && isUp).length === 3,
  )
}

const hasReplicas = async ({ lookAtAll }: Cluster, count: number) => {
  const seen = await lookAtAll()
  return seen.reduce((sum, { replicas }) => sum + replicas, 0) === count
}

/** Waits until each remaining family has advanced. @returns the milliseconds */
const untilAllMove = async (chains: { tokens: string[]; ended: boolean }[]) => {
  const began = performance.now()
  const before = chains.map(({ tokens }) => tokens.length)
  await eventually(() =>
    chains.every(({ tokens, ended }, at) => ended || tokens.length > (before[at] as number)),
  )
  return performance.now() - began
}

t.test(
  'F-03 after a cluster primary is killed under load, used tokens stay used',
  noRedis || {},
  async (t) => {
    const { cluster, server, app, chains } = await started(t, { REDIS_WAIT_REPLICAS: '1' })
    const rotating = keepRotating(chains, app, () => server.url, 2, clients)
    const { tally } = rotating
    await eventually(() => tally.ok > families * 2)
    const [primary] = cluster.programs as [Cluster['programs'][number]]
    await primary.kill()
    const before = tally.ok
    // Other families are served; all clients may wait for that primary at the moment of its death.
    await eventually(() => tally.ok > before)
    await eventually(() => hasChosen(cluster))
    // The new primary waits for a replica: until it has one, requests of its families get 503.
    await primary.start()
    await eventually(() => hasReplicas(cluster, 3))
    const took = await untilAllMove(chains)
    t.ok(took < longestReturn, `all are served again after ${Math.round(took)} ms`)
    const { ok, away, odd, lost, twice, unexplained } = await rotating.stop()
    t.same([odd, lost, twice, unexplained], [[], 0, 0, 0], `${ok} went well, ${away} got 503`)
    t.ok(chains.filter(({ ended }) => ended).length < families / 2, 'most stay valid')
    await replayAll(t, server.url, app, chains, Number.POSITIVE_INFINITY)
  },
)

t.test(
  'F-03 without waiting for replicas service continues after the election',
  noRedis || {},
  async (t) => {
    const { cluster, server, app, chains } = await started(t, {})
    const rotating = keepRotating(chains, app, () => server.url, 2, clients)
    await eventually(() => rotating.tally.ok > families)
    await cluster.programs[1]?.kill()
    await eventually(() => hasChosen(cluster))
    const took = await untilAllMove(chains)
    t.ok(took < longestReturn, `all are served again after ${Math.round(took)} ms`)
    t.equal((await fetch(`${server.url}/health/ready`)).status, 200)
    const { ok, away, odd, lost } = await rotating.stop()
    t.same([odd, lost], [[], 0], `${ok} went well, ${away} got 503`)
  },
)
