import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { explainSetting, PooledClient } from './settings.ts'

const connectPatience = 10_000 // ms to connect to Postgres
/**
 * Milliseconds that a migration waits for a table in use. Other statements queue behind its lock request, so this is
 * shorter than the statement timeout of the server. Then the migration releases its locks and tries again.
 */
const lockPatience = 500
const lock = 7_305_201 // one advisory lock for all processes that start at once
const directory = new URL('../../../../migrations/', import.meta.url)

type Migration = Record<'name' | 'sql' | 'sha256', string>

/** Small files, read before anything is served: one after the other takes less time than at once. */
const migrationsOnDisk = (): Migration[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const sql = readFileSync(new URL(name, directory), 'utf8')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    })

/** The name of the latest migration of this version. */
export const newestMigration = (): string => migrationsOnDisk().at(-1)?.name ?? ''

/** @throws Error that Postgres cannot be reached, and why */
export const connect = async (url: string) => {
  const client = new PooledClient({
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

// 55P03: lock timeout. 40P01: deadlock; the other party continues.
const isContended = (error: unknown) =>
  error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01')

/**
 * Keeps a migrator that dies or hangs from holding its locks. Postgres notices a lost client only at the end of a
 * statement, unless it checks the connection (a setting since Postgres 14, not on all platforms). The role's
 * statement timeout is meant for requests: a migration may take longer, but waits for locks only as long as allowed.
 */
const beginLimited = async (client: pg.Client, timeout: number) => {
  // At once: the role's limits hold between two messages.
  await client.query(
    `begin; set local statement_timeout = 0;
     set local idle_in_transaction_session_timeout = ${Math.ceil(timeout / 2)}`,
  )
  await client.query('savepoint limits')
  await client
    .query(
      `select set_config(name, case name when 'transaction_timeout' then '0' else '1000' end, true)
         from pg_settings where name in ('client_connection_check_interval', 'transaction_timeout')`,
    )
    .catch(() => client.query('rollback to limits'))
}

/** Held until the end of the transaction: behind a pooler the next transaction may use another connection. */
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
  for (const migration of migrationsOnDisk()) {
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

/** Events that were copied from another cluster have transactions of it, which are no times here. */
const forgetOtherTransactions = `
update audit_events set transaction = '0' where transaction <> '0' and exists (
  select from audit_events where transaction >= pg_snapshot_xmax(pg_current_snapshot()))`

/** Applies one migration in a transaction of its own. @returns its name; null when none is missing */
const applyNext = async (client: pg.Client, timeout: number): Promise<string | null> => {
  await beginLimited(client, timeout)
  try {
    await takeTurn(client, timeout)
    const migration = await firstMissing(client)
    if (migration) await apply(client, migration)
    else await client.query(forgetOtherTransactions)
    await client.query('commit')
    return migration?.name ?? null
  } catch (error) {
    await client.query('rollback').catch(() => undefined) // the first error is reported
    throw explainSetting(error)
  }
}

/**
 * Repeats until the migration gets its locks. A migration that blocks other statements is rolled back and starts
 * again a moment later.
 */
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
 * Applies the missing migrations, each in a transaction of its own, forward only. Any number of processes may start
 * at once, beside running servers and through a pooler: they take turns.
 * @param timeout milliseconds to wait for another migrator, and for tables in use
 * @returns the names of the applied migrations
 * @throws Error when an applied migration was edited afterwards, or Postgres refuses the connection
 */
export const migrate = async (url: string, timeout = 60_000): Promise<string[]> => {
  const client = await connect(url)
  // A lost connection also fails the running statement; without a listener the error event would end the process.
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
