import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import pg from 'pg'
import { type BackendName, backendsOf } from './backends.ts'
import { freeDatabases } from './private-redis.ts'
import { type PrivateRedis, readRecord, thisRun } from './run-record.ts'

const testFile = process.argv[1] ?? ''

/** One backend to run a test on, empty, and for this test alone until dropped. */
export interface StoreSetup {
  /** `embedded`: the packaged Postgres alone. `servers`: Postgres over TCP, and Redis. */
  name: BackendName
  databaseUrl: string
  redisUrl: string | null
  drop(): Promise<void>
}

/**
 * Each backend that this test file runs on (see backends.ts), with a fresh database.
 * @param only this one alone; none where it is not installed
 *
 * ```ts
 * for (const stores of await testStores()) {
 *   t.test(`a code is good once (${stores.name})`, async (t) => { … })
 *   t.teardown(() => stores.drop())
 * }
 * ```
 */
export async function testStores({ only }: { only?: BackendName } = {}): Promise<StoreSetup[]> {
  const record = readRecord(thisRun())
  if (!record) throw new Error('no test servers: run the tests with `npm test` or `npx tap <file>`')
  const { embedded, postgres, redis } = record
  const server = postgres ?? embedded
  const available: BackendName[] = []
  if (embedded) available.push('embedded')
  if (server && redis) available.push('servers')
  if (available.length === 0) throw new Error('no Postgres is installed to test with')
  const chosen = only ? available.filter((name) => name === only) : backendsOf(testFile, available)
  return Promise.all(
    chosen.map((name) =>
      name === 'embedded'
        ? setUp(name, embedded?.url as string)
        : setUp(name, server?.url as string, redis),
    ),
  )
}

async function setUp(
  name: StoreSetup['name'],
  server: string,
  redis?: PrivateRedis,
): Promise<StoreSetup> {
  const database = `test_${randomBytes(8).toString('hex')}`
  await onServer(server, `create database ${database} template template0`)
  const number = redis ? await takeNumber(redis) : null
  return {
    name,
    databaseUrl: withDatabase(server, database),
    redisUrl: redis && number ? `${redis.url}/${number}` : null,
    async drop() {
      if (redis && number) await giveBackNumber(redis, number)
      await onServer(server, `drop database if exists ${database} with (force)`)
    },
  }
}

async function onServer(server: string, statement: string): Promise<void> {
  const client = new pg.Client(withDatabase(server, 'postgres'))
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

function withDatabase(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

async function takeNumber({ url }: PrivateRedis): Promise<string> {
  const client = new Redis(url)
  const number = await client.spop(freeDatabases).finally(() => client.disconnect())
  if (!number) throw new Error('every database of the test Redis is taken')
  return number
}

async function giveBackNumber({ url }: PrivateRedis, number: string): Promise<void> {
  const client = new Redis(url)
  const done = client.multi().select(Number(number)).flushdb().select(0)
  await done
    .sadd(freeDatabases, number)
    .exec()
    .finally(() => client.disconnect())
}
