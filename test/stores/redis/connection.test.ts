import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { connectRedis, type RedisConnection } from '../../../src/stores/redis/connection.ts'
import type { RedisWarning } from '../../../src/stores/redis/durability.ts'
import { createFamilyStore } from '../../../src/stores/redis/families.ts'
import { createRecordStore } from '../../../src/stores/redis/records.ts'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/free-port.ts'
import { noRedis, startOwnRedis } from '../../support/own-redis.ts'
import { startIncompleteCluster, startSentinel } from '../../support/redis-programs.ts'
import { startRelay } from '../../support/relay.ts'

const openAt = async (t: Test, url: string, timeout = 1500): Promise<RedisConnection> => {
  const redis = await connectRedis({ url, timeout, onError: () => undefined })
  t.teardown(redis.close)
  return redis
}
const open = (t: Test, port: number, timeout?: number) =>
  openAt(t, `redis://127.0.0.1:${port}`, timeout)
const isAway = (t: Test, work: Promise<unknown>, why: string) =>
  t.rejects(work, { name: 'StoreUnavailable', store: 'redis' }, why)

/** Waits until Redis answers again; the connection recovers by itself. */
const untilBack = async (redis: RedisConnection) => {
  while (
    !(await redis.ping().then(
      () => true,
      () => false,
    ))
  )
    await sleep(20)
}

t.test('an unavailable Redis is reported at once', async (t) => {
  const redis = await open(t, await freePort(), 60_000) // No result here may come from the timeout.
  const families = createFamilyStore(redis)
  await isAway(t, redis.ping(), 'a ping')
  await isAway(t, families.advance(randomUUID(), 1, 'nonce', 0), 'a script')
})

t.test('a Redis that starts later is found', noRedis || {}, async (t) => {
  const server = await startOwnRedis(t)
  await server.kill()
  const redis = await open(t, server.port)
  await isAway(t, redis.ping(), 'not yet')
  await server.start()
  await untilBack(redis)
  t.equal(await createFamilyStore(redis).create(randomUUID(), 0, 60), true)
})

t.test('a record is inserted once, although the reply is lost', noRedis || {}, async (t) => {
  const server = await startOwnRedis(t)
  const relay = await startRelay({ host: '127.0.0.1', port: server.port })
  t.teardown(relay.close)
  const far = createRecordStore(await open(t, relay.port, 60_000))
  const near = createRecordStore(await open(t, server.port))
  const key = randomUUID()
  const used = { state: 'used', value: 'of the first' }

  /** The command runs, its reply is lost, and it is sent again on a new connection. */
  const lost = async <Result>(state: string | undefined, work: () => Promise<Result>) => {
    relay.stallAnswers()
    const result = work()
    await eventually(async () => (await near.find('one', key))?.state === state)
    relay.cut()
    relay.mend()
    return result
  }
  t.equal(await lost('open', () => far.insert('one', key, { ...used, state: 'open' }, 60)), true)
  t.equal(await far.insert('one', key, used, 60), false)
  t.equal(await lost('used', () => far.change('one', key, 'open', used)), true)
  t.equal(await far.change('one', key, 'open', used), false)
  t.equal(await near.change('one', key, 'open', used), false)
  t.same(await lost(undefined, () => far.take('one', key)), used)
  t.equal(await far.take('one', key), null)
  t.equal(await near.take('one', key), null)
  t.equal(await near.insert('one', key, used, 60), true, 'a taken record can be inserted again')
  t.same(await near.take('one', key), used)
})

t.test('a taken record is soon forgotten', noRedis || {}, async (t) => {
  const server = await startOwnRedis(t)
  const records = createRecordStore(await open(t, server.port, 200))
  const record = { state: 'made', value: 'a secret' }
  await records.put('note', 'one', record, 600)
  t.same(await records.take('note', 'one'), record)
  const admin = new Redis(server.port)
  t.teardown(() => admin.disconnect())
  await eventually(async () => (await admin.dbsize()) === 0)
})

t.test('a cluster that is not ready does not delay the start', noRedis || {}, async (t) => {
  const cluster = await startIncompleteCluster(t)
  const redis = await openAt(t, cluster.url)
  await isAway(t, redis.ping(), 'not yet')
  await cluster.complete()
  await untilBack(redis)
  t.equal(await createFamilyStore(redis).create(randomUUID(), 0, 60), true)
})

t.test('unavailable sentinels do not delay the start', noRedis || {}, async (t) => {
  const server = await startOwnRedis(t)
  const sentinel = await startSentinel(t, server.port)
  await sentinel.kill()
  const redis = await openAt(t, `redis+sentinel://127.0.0.1:${sentinel.port}/latchkey`)
  await isAway(t, redis.ping(), 'not yet')
  await sentinel.start()
  await untilBack(redis)
  t.equal(await createFamilyStore(redis).create(randomUUID(), 0, 60), true)
})

t.test(
  'sentinels that do not know the primary do not delay the start',
  noRedis || {},
  async (t) => {
    const sentinel = await startSentinel(t, await freePort())
    const redis = await openAt(t, `redis+sentinel://127.0.0.1:${sentinel.port}/another`)
    await isAway(t, redis.ping(), 'away')
  },
)

t.test('after a crash and a restart, used tokens stay used', noRedis || {}, async (t) => {
  const server = await startOwnRedis(t)
  const redis = await open(t, server.port)
  const families = createFamilyStore(redis)
  const id = randomUUID()
  await families.create(id, 0, 60)
  await families.advance(id, 0, 'one', 0)
  await server.kill()
  await isAway(t, families.advance(id, 1, 'two', 0), 'away')
  const began = performance.now()
  await isAway(t, redis.ping(), 'nothing is queued')
  t.ok(performance.now() - began < 1000)
  await server.start()
  await untilBack(redis)
  t.match(await families.advance(id, 1, 'three', 0), { outcome: 'advanced', generation: 2 })
  t.match(await families.advance(id, 0, 'four', 0), { outcome: 'replayed' })
})

t.test(
  'a frozen Redis is reported in time, and consumes nothing when it continues',
  noRedis || {},
  async (t) => {
    const server = await startOwnRedis(t)
    const redis = await open(t, server.port, 600)
    const families = createFamilyStore(redis)
    const id = randomUUID()
    await families.create(id, 1, 60)
    server.freeze()
    await isAway(t, families.advance(id, 1, 'lost', 0), 'a refresh')
    await sleep(600)
    server.thaw()
    await untilBack(redis)
    t.match(await families.advance(id, 1, 'again', 0), { outcome: 'advanced', generation: 2 })
  },
)

t.test(
  'a command whose reply was lost is sent again and gets the same result',
  noRedis || {},
  async (t) => {
    const server = await startOwnRedis(t)
    const relay = await startRelay({ host: '127.0.0.1', port: server.port })
    t.teardown(relay.close)
    const families = createFamilyStore(await open(t, relay.port))
    const id = randomUUID()
    await families.create(id, 1, 60)
    relay.stallAnswers()
    const answer = families.advance(id, 1, 'only once', 0)
    await sleep(100) // It has run by now.
    relay.cut()
    relay.mend()
    t.match(await answer, { outcome: 'advanced', generation: 2 })
    t.match(await families.probe(id, 2, 0), { outcome: 'live' })
  },
)

t.test('a replay is detected although its reply was lost', noRedis || {}, async (t) => {
  const server = await startOwnRedis(t)
  const relay = await startRelay({ host: '127.0.0.1', port: server.port })
  t.teardown(relay.close)
  const far = createFamilyStore(await open(t, relay.port, 60_000))
  const near = createFamilyStore(await open(t, server.port, 200))
  const admin = new Redis(server.port)
  t.teardown(() => admin.disconnect())
  for (const how of ['advance', 'probe'] as const) {
    const id = randomUUID()
    await near.create(id, 1, 60)
    await near.advance(id, 1, 'the app', 0)
    relay.stallAnswers()
    const answer = how === 'advance' ? far.advance(id, 1, 'a thief', 0) : far.probe(id, 1, 0)
    await eventually(async () => (await near.live(id)) === null)
    relay.cut()
    relay.mend()
    t.match(await answer, { outcome: 'replayed' }, how)
    t.match(
      await near.advance(id, 2, 'the app', 0),
      { outcome: 'absent' },
      'it is gone for another caller',
    )
    t.equal(await near.create(id, 7, 60), true)
    t.match(await near.advance(id, 7, 'the app', 0), { outcome: 'advanced', generation: 8 })
    await near.end(id)
  }
  const ended = randomUUID()
  await near.create(ended, 1, 60)
  await near.advance(ended, 0, 'a thief', 0)
  await eventually(async () => (await admin.dbsize()) === 0)
})

t.test('after a failover the connection leaves the read-only server', noRedis || {}, async (t) => {
  const [old, fresh] = await Promise.all([startOwnRedis(t), startOwnRedis(t)])
  const relay = await startRelay({ host: '127.0.0.1', port: old.port })
  t.teardown(relay.close)
  const redis = await open(t, relay.port)
  const records = createRecordStore(redis)
  const record = { state: 'open', value: '' }
  await records.put('note', 'one', record, 60)
  const admin = new Redis(old.port)
  t.teardown(() => admin.disconnect())
  await admin.replicaof('127.0.0.1', fresh.port)
  relay.lead({ host: '127.0.0.1', port: fresh.port })
  await isAway(t, records.put('note', 'two', record, 60), 'a replica takes no writes')
  await untilBack(redis)
  await records.put('note', 'two', record, 60)
  t.same(await records.find('note', 'two'), record)
})

t.test('a full Redis counts as unavailable for writes', noRedis || {}, async (t) => {
  const server = await startOwnRedis(t)
  const redis = await open(t, server.port)
  const families = createFamilyStore(redis)
  const records = createRecordStore(redis)
  const record = { state: 'made', value: '' }
  const [id, stolen] = [randomUUID(), randomUUID()]
  await families.create(id, 1, 60)
  await families.create(stolen, 1, 60)
  await records.put('note', 'one', record, 60)
  const admin = new Redis(server.port)
  t.teardown(() => admin.disconnect())
  await admin.config('SET', 'maxmemory', '1')
  await isAway(t, families.create(randomUUID(), 0, 60), 'a new code')
  await isAway(t, records.put('note', 'two', record, 60), 'a record')
  await isAway(t, records.insert('note', 'two', record, 60), 'a new record')
  await isAway(t, families.advance(id, 1, 'full', 0), 'a refresh')
  t.match(await families.advance(stolen, 0, 'a thief', 0), { outcome: 'replayed' })
  t.same(await records.take('note', 'one'), record, 'commands that free memory still work')
  await admin.config('SET', 'maxmemory', '0')
  t.match(await families.advance(id, 1, 'room', 0), { outcome: 'advanced', generation: 2 })
})

t.test('a script that the server lost is sent again', noRedis || {}, async (t) => {
  const server = await startOwnRedis(t)
  const families = createFamilyStore(await open(t, server.port))
  const id = randomUUID()
  await families.create(id, 1, 60)
  await families.advance(id, 1, 'known', 0)
  const admin = new Redis(server.port)
  t.teardown(() => admin.disconnect())
  await admin.script('FLUSH')
  t.match(await families.advance(id, 2, 'anew', 0), { outcome: 'advanced', generation: 3 })
})

t.test('faulty Redis settings are noticed at run time', noRedis || {}, async (t) => {
  const server = await startOwnRedis(t)
  let warnings: RedisWarning[] | null = null
  const redis = await connectRedis({
    url: server.url,
    timeout: 1500,
    onError: () => undefined,
    lookEvery: 20,
    onWarnings: (found) => {
      warnings = found
    },
  })
  t.teardown(redis.close)
  await eventually(() => warnings?.length === 0)
  const admin = new Redis(server.port)
  t.teardown(() => admin.disconnect())
  await admin.config('SET', 'appendfsync', 'everysec')
  await eventually(() => warnings?.[0] === 'not_synced')
  await admin.config('SET', 'appendfsync', 'always')
  await eventually(() => warnings?.length === 0)
})
