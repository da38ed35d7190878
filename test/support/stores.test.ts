import { Redis } from 'ioredis'
import pg from 'pg'
import t from 'tap'
import { askBackends } from './keeper/client.ts'
import { testStores } from './stores.ts'

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(text).finally(() => client.end())
  return rows
}

t.test('every installed backend is offered', async (t) => {
  const stores = await testStores()
  t.teardown(() => Promise.all(stores.map(({ drop }) => drop())))
  const { available } = await askBackends()
  t.same(
    stores.map(({ name }) => name),
    available,
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

t.test('every call gets a database of its own', async (t) => {
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

t.test('a database has tables unless one with nothing is requested', async (t) => {
  for (const content of ['nothing', 'tables'] as const) {
    for (const { databaseUrl, drop, name } of await testStores({ content })) {
      const [found] = await query(databaseUrl, `select to_regclass('migrations') as name`)
      t.equal(found?.name === null, content === 'nothing', name)
      await drop()
    }
  }
})

t.test(
  'a database with a world has what the world names; only the first one is without',
  async (t) => {
    for (const stores of [
      ...(await testStores({ content: 'world' })),
      ...(await testStores({ content: 'world' })),
      ...(await testStores({ content: 'world' })),
    ]) {
      const found = await query(stores.databaseUrl, 'select client_id from apps')
      const { confidential, second, publicApp, legacy, legacyPublic } = stores.world ?? {}
      t.same(
        found.map(({ client_id }) => client_id).sort(),
        [confidential, second, publicApp, legacy, legacyPublic]
          .flatMap((app) => app?.client_id ?? [])
          .sort(),
      )
      await stores.drop()
    }
  },
)

t.test('a dropped database is removed, and its Redis is empty', async (t) => {
  for (const { databaseUrl, redisUrl, drop } of await testStores()) {
    const redis = redisUrl ? new Redis(redisUrl) : null
    await redis?.set('note', 'left behind')
    await drop()
    await t.rejects(query(databaseUrl, 'select 1'), { code: '3D000' })
    if (redis) t.equal(await redis.dbsize(), 0)
    redis?.disconnect()
  }
})
