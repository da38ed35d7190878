import { Redis } from 'ioredis'
import pg from 'pg'
import t from 'tap'
import { readRecord, thisRun } from './run-record.ts'
import { testStores } from './stores.ts'

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(text).finally(() => client.end())
  return rows
}

t.test('every backend that was started is offered', async (t) => {
  const stores = await testStores()
  t.teardown(() => Promise.all(stores.map(({ drop }) => drop())))
  const record = readRecord(thisRun())
  const names = [...(record?.embedded ? ['embedded'] : []), ...(record?.redis ? ['servers'] : [])]
  t.same(
    stores.map(({ name }) => name),
    names,
  )
  for (const { name, databaseUrl, redisUrl } of stores) {
    t.same(await query(databaseUrl, 'select 1 as one'), [{ one: 1 }], `${name}: Postgres answers`)
    t.equal(redisUrl !== null, name === 'servers', `${name}: Redis is there or is not`)
    if (!redisUrl) continue
    const redis = new Redis(redisUrl)
    t.equal(await redis.ping(), 'PONG')
    redis.disconnect()
  }
})

t.test('no two calls share a database', async (t) => {
  const [first, second] = await Promise.all([testStores(), testStores()])
  for (const [at, one] of first.entries()) {
    const other = second[at]!
    t.not(one.databaseUrl, other.databaseUrl)
    await query(one.databaseUrl, 'create table note ()')
    const found = await query(other.databaseUrl, `select to_regclass('note') as note`)
    t.same(found, [{ note: null }])
    if (one.redisUrl) t.not(one.redisUrl, other.redisUrl)
  }
  await Promise.all([...first, ...second].map(({ drop }) => drop()))
})

t.test('a dropped database is gone, and its Redis is empty', async (t) => {
  for (const { databaseUrl, redisUrl, drop } of await testStores()) {
    const redis = redisUrl ? new Redis(redisUrl) : null
    await redis?.set('note', 'left behind')
    await drop()
    await t.rejects(query(databaseUrl, 'select 1'), { code: '3D000' })
    if (redis) t.equal(await redis.dbsize(), 0)
    redis?.disconnect()
  }
})
