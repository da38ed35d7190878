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
/** Generous: what takes a second when the machine has nothing else to do. */
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

/** The cluster has agreed on three primaries that are there. */
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

/** Until each family that is left has moved on; the milliseconds that it took. */
const untilAllMove = async (chains: { tokens: string[]; ended: boolean }[]) => {
  const began = performance.now()
  const before = chains.map(({ tokens }) => tokens.length)
  await eventually(() =>
    chains.every(({ tokens, ended }, at) => ended || tokens.length > (before[at] as number)),
  )
  return performance.now() - began
}

t.test(
  'F-03 a primary of a cluster is killed under load: what is spent stays spent',
  noRedis || {},
  async (t) => {
    const { cluster, server, app, chains } = await started(t, { REDIS_WAIT_REPLICAS: '1' })
    const rotating = keepRotating(chains, app, () => server.url, 2, clients)
    const { tally } = rotating
    await eventually(() => tally.ok > families * 2)
    const [primary] = cluster.programs as [Cluster['programs'][number]]
    await primary.kill()
    const before = tally.ok
    // The other families are served on; all clients may wait for that primary at the moment when it goes.
    await eventually(() => tally.ok > before)
    await eventually(() => hasChosen(cluster))
    // The new primary has no replica, and waits for one: until it has, its families are told to come again.
    await primary.start()
    await eventually(() => hasReplicas(cluster, 3))
    const took = await untilAllMove(chains)
    t.ok(took < longestReturn, `all are served again after ${Math.round(took)} ms`)
    const { ok, away, odd, lost, twice, unexplained } = await rotating.stop()
    t.same([odd, lost, twice, unexplained], [[], 0, 0, 0], `${ok} went well, ${away} got 503`)
    t.ok(chains.filter(({ ended }) => ended).length < families / 2, 'most live on')
    await replayAll(t, server.url, app, chains, Number.POSITIVE_INFINITY)
  },
)

t.test(
  'F-03 without waiting for replicas service goes on as soon as the cluster has chosen',
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
