// Nightly: it fills disks, which takes a minute.
/**
 * F-24: the disk of a store is full. Clients get 503, nothing is consumed, and no repair is needed.
 */
import { Redis } from 'ioredis'
import pg from 'pg'
import t, { type Test } from 'tap'
import { keepRotating, newChains, newTally, replayAll, rotate } from '../support/chains.ts'
import { eventually } from '../support/eventually.ts'
import { unlessMissing } from '../support/installed.ts'
import { storesNamed } from '../support/open-stores.ts'
import { noPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { noRedis, type OwnRedis, startOwnRedis } from '../support/own-redis.ts'
import { startServerProcess } from '../support/server-process.ts'
import { limitFiles, mountSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { createWorld } from '../support/world.ts'

const families = 8

const redisOnSmallDisk = async (t: Test, sync: 'always' | 'everysec') => {
  const mounted = await mountSmallDisk(t, 16)
  const directory = mounted?.directory ?? (await temporaryDirectory('disk'))
  const redis: OwnRedis = await startOwnRedis(t, { directory, sync })
  const disk: SmallDisk = mounted ?? limitFiles(directory, redis.pid)
  t.comment(mounted ? 'a disk of its own' : 'a limit to its files')
  const stores = await storesNamed('servers')
  if (!stores) throw new Error('there is no Postgres to test with')
  t.teardown(() => stores.drop())
  const server = await startServerProcess(t, {
    stores: { ...stores, redisUrl: redis.url },
    environment: { STORE_TIMEOUT_MS: '1500' },
  })
  const { confidential: app, ana } = await createWorld(server)
  const [chains, idle] = [
    await newChains(server, app, ana, families),
    await newChains(server, app, ana, 2),
  ]
  const rotating = keepRotating(chains, app, () => server.url, 10)
  await eventually(() => rotating.tally.ok > families * 2)
  return { redis, disk, server, app, chains, idle, rotating }
}

t.test(
  'F-24 after the disk of Redis was full, service continues without repair',
  noRedis || {},
  async (t) => {
    const { redis, disk, server, app, chains, idle, rotating } = await redisOnSmallDisk(
      t,
      'everysec',
    )
    const { tally } = rotating
    await disk.fill()
    await eventually(() => tally.away > families)
    const client = new Redis(redis.port)
    t.teardown(() => client.disconnect())
    await t.rejects(client.set('a', 'b'), /MISCONF/)
    for (const chain of idle)
      t.match(await rotate(server.url, app, chain, newTally()), { status: 503 }, 'a refresh')
    t.equal((await fetch(`${server.url}/health/live`)).status, 200)
    await disk.free()
    const before = tally.ok
    await eventually(() => tally.ok > before + families)
    for (const chain of idle)
      t.match(await rotate(server.url, app, chain, newTally()), { status: 200 }, 'not consumed')
    const { odd, lost, twice, invalidGrant, away, ok } = await rotating.stop()
    t.same([odd, lost, twice, invalidGrant], [[], 0, 0, 0], `${ok} went well, ${away} got 503`)
    await replayAll(t, server.url, app, chains)
  },
)

t.test(
  'F-24 a Redis that exits on a full disk is started again, and no write is lost',
  noRedis || {},
  async (t) => {
    const { redis, disk, server, app, chains, idle, rotating } = await redisOnSmallDisk(t, 'always')
    const { tally } = rotating
    await disk.fill()
    await eventually(() => !redis.isUp())
    await eventually(() => tally.away > families)
    for (const chain of idle)
      t.match(await rotate(server.url, app, chain, newTally()), { status: 503 }, 'a refresh')
    await disk.free()
    await redis.start()
    const before = tally.ok
    await eventually(() => tally.ok > before + families)
    for (const chain of idle)
      t.match(await rotate(server.url, app, chain, newTally()), { status: 200 }, 'not consumed')
    const { odd, lost, twice, unexplained, away, ok } = await rotating.stop()
    t.same([odd, lost, twice, unexplained], [[], 0, 0, 0], `${ok} went well, ${away} got 503`)
    await replayAll(t, server.url, app, chains)
  },
)

t.test(
  'F-24 after the disk of Postgres was full, service continues without repair',
  noPostgres || {},
  async (t) => {
    const disk = await mountSmallDisk(t, 160)
    if (!disk) return void t.comment(unlessMissing(false, 'a disk that can be mounted').skip)
    const postgres = await startOwnPostgres(t, disk.directory)
    // Without Redis, so that Postgres stores every rotation.
    const server = await startServerProcess(t, {
      stores: { databaseUrl: postgres.url, redisUrl: null },
      environment: { STORE_TIMEOUT_MS: '1000' },
    })
    const { confidential: app, ana } = await createWorld(server)
    const [chains, idle] = [
      await newChains(server, app, ana, families),
      await newChains(server, app, ana, 2),
    ]
    const rotating = keepRotating(chains, app, () => server.url, 10)
    const { tally } = rotating
    await eventually(() => tally.ok > families * 2)
    await disk.fill()
    const isUp = async () => {
      const client = new pg.Client(postgres.url)
      client.on('error', () => undefined)
      try {
        await client.connect()
        // The next writes need a new file.
        await client.query('select pg_switch_wal()')
        await client.query('create table filling as select generate_series(1, 100000) as number')
        await client.query('drop table filling')
        return true
      } catch {
        return false
      } finally {
        await client.end().catch(() => undefined)
      }
    }
    await eventually(async () => !(await isUp()) && tally.away > families)
    for (const chain of idle)
      t.match(await rotate(server.url, app, chain, newTally()), { status: 503 }, 'a refresh')
    t.equal((await fetch(`${server.url}/health/live`)).status, 200)
    await disk.free()
    await postgres.start().catch(() => undefined) // It may have restarted by itself.
    const before = tally.ok
    await eventually(() => tally.ok > before + families)
    for (const chain of idle)
      t.match(await rotate(server.url, app, chain, newTally()), { status: 200 }, 'not consumed')
    const { odd, lost, twice, unexplained, away, ok } = await rotating.stop()
    t.same([odd, lost, twice, unexplained], [[], 0, 0, 0], `${ok} went well, ${away} got 503`)
    await replayAll(t, server.url, app, chains)
  },
)
