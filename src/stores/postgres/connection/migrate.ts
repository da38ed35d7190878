import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const connectPatience = 10_000 // ms for Postgres to be reached
/**
 * Milliseconds that a migration waits for a table that somebody else uses. Behind its request everybody else waits,
 * too, so this is less than a request to the server waits for a statement; then it lets them pass and tries again.
 */
const lockPatience = 500
const lock = 7_305_201 // one advisory lock for all who start at once
const directory = new URL('../../../../migrations/', import.meta.url)

interface Migration {
  name: string
  sql: string
  sha256: string
}

const migrationsOnDisk = async (): Promise<Migration[]> => {
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
    connectionTimeoutMillis: connectPatience,
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

/** Seconds, for an error message. */
const inSeconds = (milliseconds: number) => `${Math.round(milliseconds / 1000)} s`

// 55P03: the lock was not to be had in time. 40P01: a deadlock, whose other party goes on.
const isContended = (error: unknown) =>
  error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01')

/**
 * What a migrator that dies or hangs must not do: keep its locks. Postgres notices a client that is gone only at the
 * end of a statement unless it looks (a setting of Postgres 14, and not of every platform). A limit that the role has
 * for its statements is meant for requests: a migration takes what it takes, and waits for locks as long as it may.
 */
const limitTransaction = async (client: pg.Client, timeout: number) => {
  await client.query('set local statement_timeout = 0')
  await client.query(`set local idle_in_transaction_session_timeout = ${Math.ceil(timeout / 2)}`)
  await client.query('savepoint limits')
  await client
    .query(
      `select set_config(name, '1000', true) from pg_settings
        where name = 'client_connection_check_interval'`,
    )
    .catch(() => client.query('rollback to limits'))
}

/** Held until the end of the transaction: a pooler may give the next one to another connection. */
const takeTurn = async (client: pg.Client, timeout: number) => {
  await client.query(`set local lock_timeout = ${timeout}`)
  try {
    await client.query('select pg_advisory_xact_lock($1)', [lock])
  } catch (cause) {
    if (!isContended(cause)) throw cause
    throw new Error(
      `another process has been migrating this database for ${inSeconds(timeout)} or hangs: ` +
        `look for application_name 'latchkey migrate' in pg_stat_activity`,
      { cause },
    )
  }
}

/** @throws Error when an applied migration was edited afterwards */
const firstMissing = async (client: pg.Client): Promise<Migration | null> => {
  await client.query(
    `create table if not exists migrations (
       name text primary key, sha256 text not null, applied_at timestamptz not null default now())`,
  )
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from migrations',
  )
  const applied = new Map(rows.map((row) => [row.name, row.sha256]))
  for (const migration of await migrationsOnDisk()) {
    const known = applied.get(migration.name)
    if (known === undefined) return migration
    if (known !== migration.sha256)
      throw new Error(`migration ${migration.name} was changed after it was applied`)
  }
  return null
}

const apply = async (client: pg.Client, { name, sql, sha256 }: Migration) => {
  await client.query(`set local lock_timeout = ${lockPatience}`)
  try {
    await client.query(sql)
  } catch (cause) {
    if (!isContended(cause)) throw cause
    throw new TablesInUse(name, cause)
  }
  await client.query('insert into migrations (name, sha256) values ($1, $2)', [name, sha256])
}

class TablesInUse extends Error {
  constructor(migration: string, cause: unknown) {
    super(`migration ${migration} found its tables in use`, { cause })
  }
}

/** Applies one migration in a transaction of its own. @returns its name, or null when none is missing */
const applyNext = async (client: pg.Client, timeout: number): Promise<string | null> => {
  await client.query('begin')
  try {
    await limitTransaction(client, timeout)
    await takeTurn(client, timeout)
    const migration = await firstMissing(client)
    if (migration) await apply(client, migration)
    await client.query('commit')
    return migration?.name ?? null
  } catch (error) {
    await client.query('rollback').catch(() => undefined) // the first error is the one to tell
    throw error
  }
}

/** Tries until it gets its locks: a migration that is in somebody's way is undone, and begins anew a moment later. */
const applyBetweenOthers = async (client: pg.Client, timeout: number) => {
  for (const began = performance.now(); ; ) {
    try {
      return await applyNext(client, timeout)
    } catch (error) {
      if (!(error instanceof TablesInUse)) throw error
      if (performance.now() - began > timeout) {
        const { message, cause } = error
        throw new Error(
          `${message} for ${inSeconds(timeout)}: look for a long transaction in pg_stat_activity`,
          { cause },
        )
      }
    }
    await sleep(lockPatience / 2 + Math.random() * lockPatience)
  }
}

/**
 * Applies the migrations that this database lacks, each in a transaction of its own, forward only.
 * Any number of processes may start at once, beside servers that work, and through a pooler: they take turns.
 * @param timeout milliseconds to wait for another who migrates, and for tables that are in use
 * @returns the names applied
 * @throws Error when an applied migration was edited afterwards, or nobody let us in
 */
export const migrate = async (url: string, timeout = 60_000): Promise<string[]> => {
  const client = await connect(url)
  // A connection that breaks also fails the statement under way; unheard it would end the process.
  client.on('error', () => undefined)
  try {
    const fresh: string[] = []
    for (;;) {
      const name = await applyBetweenOthers(client, timeout)
      if (name === null) return fresh
      fresh.push(name)
    }
  } finally {
    await client.end()
  }
}
