import { Redis } from 'ioredis'
import pg from 'pg'
import type { StoreSetup } from './stores.ts'

const withDatabase = async <Result>(
  stores: Pick<StoreSetup, 'databaseUrl'>,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> => {
  const client = new pg.Client(stores.databaseUrl)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const withRedis = async <Result>(url: string, work: (redis: Redis) => Promise<Result>) => {
  const redis = new Redis(url)
  try {
    return await work(redis)
  } finally {
    redis.disconnect()
  }
}

/** One SQL statement on the test's own database. */
export const sql = <Row extends object>(
  stores: Pick<StoreSetup, 'databaseUrl'>,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> =>
  withDatabase(stores, async (client) => (await client.query<Row>(text, values)).rows)

export const countRows = async (
  stores: Pick<StoreSetup, 'databaseUrl'>,
  table: string,
): Promise<number> => {
  const [row] = await sql<{ count: string }>(stores, `select count(*) as count from ${table}`)
  return Number(row?.count)
}

const liveTables = ['grants', 'families', 'installs', 'consents', 'records']

/** Row and key counts, which a refused request must not change. Failure counters may grow. */
export const amounts = async (stores: StoreSetup): Promise<Record<string, number>> => {
  const rows = await Promise.all(
    liveTables.map(async (table) => [table, await countRows(stores, table)] as const),
  )
  const redis = stores.redisUrl
    ? await withRedis(stores.redisUrl, async (client) => {
        const keys = await client.keys('*')
        return keys.filter((key) => !key.startsWith('lk:n:')).length
      })
    : 0
  return { ...Object.fromEntries(rows), redis }
}

const dumpDatabase = (stores: StoreSetup) =>
  withDatabase(stores, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
    )
    const parts: string[] = []
    for (const { name } of tables) {
      const { rows } = await client.query<{ line: string }>(`select t::text as line from ${name} t`)
      parts.push(...rows.map(({ line }) => `${name} ${line}`))
    }
    return parts.join('\n')
  })

const readKey = async (redis: Redis, key: string) => {
  switch (await redis.type(key)) {
    case 'hash':
      return Object.entries(await redis.hgetall(key)).flat()
    case 'string':
      return [await redis.get(key)]
    default:
      throw new Error(`${key} is of a type that nobody expected`)
  }
}

/** The whole contents of the stores, as text. */
export const dumpStores = async (stores: StoreSetup): Promise<string> => {
  const database = await dumpDatabase(stores)
  if (!stores.redisUrl) return database
  const redis = await withRedis(stores.redisUrl, async (client) => {
    const keys = await client.keys('*')
    const values = await Promise.all(
      keys.map(async (key) => `${key} ${(await readKey(client, key)).join(' ')}`),
    )
    return values.join('\n')
  })
  return `${database}\n${redis}`
}

/**
 * Every form in which a secret may be stored: as it is, encoded, in hex (bytea), without its
 * prefix.
 */
const formsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  const bare = secret.slice(secret.lastIndexOf('_') + 1)
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    ...(bare.length >= 16 ? [bare] : []),
  ]
}

/** The kinds of the secrets that this text contains, never the secrets themselves. */
export const findSecrets = (text: string, secrets: ReadonlyMap<string, string>): string[] => {
  const hexless = text.toLowerCase()
  return [...secrets]
    .filter(([secret]) =>
      formsOf(secret).some(
        (form) => text.includes(form) || (/^[0-9a-f]+$/.test(form) && hexless.includes(form)),
      ),
    )
    .map(([, what]) => what)
}

/** Writes a text where secrets could be stored: a table, and Redis. */
export const plant = async (stores: StoreSetup, text: string): Promise<void> => {
  await sql(
    stores,
    `insert into records (collection, key, state, value, expires_at)
       values ('planted', 'table', '', $1, now() + interval '1 minute')`,
    [text],
  )
  if (stores.redisUrl) await withRedis(stores.redisUrl, (redis) => redis.set('planted', text))
}

/** The remaining lifetime of each grant family: seconds, or null for one without an expiry. */
export const familyLives = async (stores: StoreSetup): Promise<(number | null)[]> => {
  if (!stores.redisUrl) {
    const rows = await sql<{ left: string | null }>(
      stores,
      'select extract(epoch from expires_at - clock_timestamp()) as left from families',
    )
    return rows.map(({ left }) => (left === null ? null : Number(left)))
  }
  return withRedis(stores.redisUrl, async (client) => {
    const lives = await Promise.all((await client.keys('lk:f:*')).map((key) => client.pttl(key)))
    return lives.map((ms) => (ms < 0 ? null : ms / 1000))
  })
}

/** Expires everything with an expiry: codes, sessions, interactions, counters. */
export const expireAll = async (stores: StoreSetup): Promise<void> => {
  for (const table of ['families', 'records', 'counters']) {
    await sql(
      stores,
      `update ${table} set expires_at = clock_timestamp() - interval '1 second'
        where expires_at is not null`,
    )
  }
  if (!stores.redisUrl) return
  await withRedis(stores.redisUrl, async (client) => {
    for (const key of await client.keys('*')) {
      if ((await client.pttl(key)) > 0) await client.pexpire(key, 1)
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  })
}
