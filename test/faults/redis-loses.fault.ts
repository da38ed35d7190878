// Nightly: it makes thousands of families.
/** F-02, F-04, F-05: Redis is killed among hundreds of rotations, loses everything, or is full. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { keepRotating, newChains, newTally, replayAll, rotate } from '../support/chains.ts'
import { eventually } from '../support/eventually.ts'
import { clientCredentials, currentCode, exchangeCode } from '../support/flows.ts'
import { storesNamed } from '../support/open-stores.ts'
import { noRedis, startOwnRedis } from '../support/own-redis.ts'
import { seededChains } from '../support/seeded-chains.ts'
import { startServerProcess } from '../support/server-process.ts'
import { createVisitor } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

const rounds = Number(process.env.LATCHKEY_FAULT_ROUNDS ?? 10)
/** In each round; LATCHKEY_FAULT_FAMILIES=5000 for a long run. */
const families = Number(process.env.LATCHKEY_FAULT_FAMILIES ?? 400)
const clients = 32

const metricsToken = 'metrics-token-of-the-tests'

/** With what is wrong with how the stores are set up. */
const guardedReadiness = async (url: string) => {
  const headers = { authorization: `Bearer ${metricsToken}` }
  return (await fetch(`${url}/health/ready`, { headers })).json()
}

const started = async (t: Test, environment: Record<string, string> = {}) => {
  const [stores, redis] = await Promise.all([storesNamed('servers'), startOwnRedis(t)])
  if (!stores) throw new Error('there is no Postgres to test with')
  t.teardown(() => stores.drop())
  const own = { ...stores, redisUrl: redis.url }
  const server = await startServerProcess(t, { stores: own, environment })
  const admin = () => {
    const client = new Redis(redis.port)
    t.teardown(() => client.disconnect())
    return client
  }
  return { redis, admin, server, stores: own, world: await createWorld(server) }
}

t.test(
  'F-02 after Redis is killed among rotations, used tokens stay used',
  noRedis || {},
  async (t) => {
    const { redis, server, stores, world } = await started(t)
    const { confidential: app, ana } = world
    let [all, over] = [0, 0]
    for (let round = 1; round <= rounds; round++) {
      const chains = await seededChains(stores, server, app, ana, families)
      const rotating = keepRotating(chains, app, () => server.url, 1, clients)
      await eventually(() => rotating.tally.ok > families * 2)
      await sleep(Math.random() * 200)
      await redis.kill()
      await sleep(Math.random() * 300)
      await redis.start()
      const before = rotating.tally.ok
      await eventually(() => rotating.tally.ok > before + families)
      const tally = await rotating.stop()
      t.same(
        [tally.odd, tally.lost, tally.twice, tally.unexplained],
        [[], 0, 0, 0],
        `round ${round}`,
      )
      // Families whose reply Redis lost are revoked, because their state was in doubt.
      const ended = chains.filter((one) => one.ended).length
      t.ok(ended <= clients, `${ended} of ${families} are over`)
      all += families
      over += ended
      await replayAll(t, server.url, app, chains, Number.POSITIVE_INFINITY)
    }
    t.comment(`${all} families, ${over} of them in doubt and closed`)
  },
)

t.test(
  'F-04 after Redis loses everything, tokens are invalid and installs stay',
  noRedis || {},
  async (t) => {
    const { admin, server, world } = await started(t)
    const { confidential: app, ana, acme } = world
    const chains = await newChains(server, app, ana, 4)
    for (const chain of chains) await rotate(server.url, app, chain, newTally())
    const code = await currentCode(server, app, ana)
    await admin().flushall()
    for (const { tokens } of chains) {
      for (const token of tokens) {
        const tally = newTally()
        const answer = await rotate(
          server.url,
          app,
          { tokens: [token], unsure: false, ended: false },
          tally,
        )
        t.match([answer?.status, answer?.body.error], [400, 'invalid_grant'])
      }
    }
    const exchanged = await exchangeCode(server.url, app, code)
    t.match([exchanged.status, exchanged.body.error], [400, 'invalid_grant'], 'a code')
    t.equal((await clientCredentials(server.url, app, acme)).status, 200, 'the install')
    const visitor = createVisitor(server.issuer)
    const anew = await exchangeCode(
      server.url,
      app,
      await currentCode(server, app, ana, {}, visitor),
    )
    t.equal(anew.status, 200, 'the same user authorizes again')
    const [key] = [await server.operator('POST', '/signing-keys/rotate')]
    t.ok(key.status < 300)
    const path = `/organizations/${acme}/installs/${app.client_id}`
    t.ok((await server.operator('DELETE', path)).status < 300)
    t.match(await clientCredentials(server.url, app, acme), { status: 400 }, 'an uninstall')
  },
)

t.test('F-05 a full Redis causes 503, and nothing is lost', noRedis || {}, async (t) => {
  const { admin, server, world } = await started(t)
  const { confidential: app, ana, acme } = world
  const chains = await newChains(server, app, ana, 4)
  const client = admin()
  const used = Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1])
  await client.config('SET', 'maxmemory', String(used + 2_000_000))
  await t.rejects(async () => {
    for (let at = 0; ; at++) await client.set(`filler:${at}`, 'x'.repeat(10_000))
  }, /OOM/)
  const keys = await client.dbsize()
  for (const chain of chains) {
    t.match((await rotate(server.url, app, chain, newTally()))?.status, 503)
  }
  t.equal(await client.dbsize(), keys, 'nothing was evicted')
  t.equal((await clientCredentials(server.url, app, acme)).status, 200)
  await client.config('SET', 'maxmemory', '0')
  for (const chain of chains) {
    t.match((await rotate(server.url, app, chain, newTally()))?.status, 200, 'not consumed')
  }
  await replayAll(t, server.url, app, chains)
})

t.test('F-05 warns about a Redis that evicts or does not persist', noRedis || {}, async (t) => {
  const { redis, admin, server } = await started(t, { METRICS_TOKEN: metricsToken })
  const ready = () => guardedReadiness(server.url)
  t.notMatch(server.log(), 'redis_evicts')
  t.same(await ready(), { status: 'ok', down: [] })
  const client = admin()
  await client.config('SET', 'maxmemory-policy', 'allkeys-lru')
  await client.config('SET', 'appendonly', 'no')
  await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes') // Checked after each connection.
  const warnings = ['redis_evicts', 'redis_not_durable']
  await eventually(async () => ((await ready()) as { warnings?: string[] }).warnings?.length === 2)
  t.same(await ready(), { status: 'ok', down: [], warnings })
  const open = await (await fetch(`${server.url}/health/ready`)).json()
  t.same(open, { status: 'ok', down: [] }, 'other callers do not see the warning')
  await eventually(() => warnings.every((one) => server.log().includes(one)))
  await redis.kill()
  await redis.start()
  await eventually(async () => !('warnings' in ((await ready()) as object)))
})

t.test('F-05 warns about a Redis that may lose its last second', noRedis || {}, async (t) => {
  const [stores, redis] = await Promise.all([
    storesNamed('servers'),
    startOwnRedis(t, { sync: 'everysec' }),
  ])
  if (!stores) throw new Error('there is no Postgres to test with')
  t.teardown(() => stores.drop())
  const server = await startServerProcess(t, {
    stores: { ...stores, redisUrl: redis.url },
    environment: { METRICS_TOKEN: metricsToken },
  })
  await eventually(() => server.log().includes('redis_not_synced'))
  t.same(await guardedReadiness(server.url), {
    status: 'ok',
    down: [],
    warnings: ['redis_not_synced'],
  })
})

t.test('F-05 reads INFO where CONFIG is forbidden', noRedis || {}, async (t) => {
  const [stores, redis] = await Promise.all([storesNamed('servers'), startOwnRedis(t)])
  if (!stores) throw new Error('there is no Postgres to test with')
  t.teardown(() => stores.drop())
  const client = new Redis(redis.port)
  t.teardown(() => client.disconnect())
  await client.config('SET', 'maxmemory-policy', 'volatile-ttl')
  await client.acl('SETUSER', 'managed', 'on', '>secret', '~*', '+@all', '-config')
  const redisUrl = redis.url.replace('//', '//managed:secret@')
  const server = await startServerProcess(t, { stores: { ...stores, redisUrl } })
  await eventually(() => server.log().includes('redis_evicts'))
  t.notMatch(server.log(), /redis_not_durable|redis_not_synced/)
})
