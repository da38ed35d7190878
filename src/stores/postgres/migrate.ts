import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

const patience = 10_000 // ms for Postgres to be reached, and for a table that somebody else holds
const lock = 7_305_201 // one advisory lock for all who start at once
const directory = new URL('../../../migrations/', import.meta.url)

const migrationsOnDisk = async () => {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, directory), 'utf8')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** @throws Error that says that Postgres cannot be reached, and why */
const connect = async (url: string) => {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'latchkey migrate',
    connectionTimeoutMillis: patience,
    keepAlive: true,
  })
  try {
    await client.connect()
    return client
  } catch (cause) {
    await client.end().catch(() => undefined)
    const { message, errors } = cause as Error & { errors?: Error[] }
    const why = message || errors?.[0]?.message || 'no reason given'
    throw new Error(`Postgres cannot be reached: ${why}`, { cause })
  }
}

const apply = async (client: pg.Client): Promise<string[]> => {
  // Held until the commit: a pooler may give the next transaction to another connection.
  await client.query('select pg_advisory_xact_lock($1)', [lock])
  await client.query(
    `create table if not exists migrations (
       name text primary key, sha256 text not null, applied_at timestamptz not null default now())`,
  )
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from migrations',
  )
  const applied = new Map(rows.map((row) => [row.name, row.sha256]))
  const fresh: string[] = []
  for (const { name, sql, sha256 } of await migrationsOnDisk()) {
    const known = applied.get(name)
    if (known === sha256) continue
    if (known) throw new Error(`migration ${name} was changed after it was applied`)
    await client.query(`set local lock_timeout = ${patience}`)
    await client.query(sql)
    await client.query('insert into migrations (name, sha256) values ($1, $2)', [name, sha256])
    fresh.push(name)
  }
  return fresh
}

/**
 * Applies the migrations that this database lacks, forward only, all or none of them.
 * Any number of processes may start at once: one applies, the others wait.
 * @returns the names applied
 * @throws Error when an applied migration was edited afterwards
 */
export const migrate = async (url: string): Promise<string[]> => {
  const client = await connect(url)
  // A connection that breaks also fails the statement under way; unheard it would end the process.
  client.on('error', () => undefined)
  try {
    await client.query('begin')
    const fresh = await apply(client)
    await client.query('commit')
    return fresh
  } finally {
    await client.end()
  }
}
