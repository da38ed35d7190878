/** The database of a test server: a copy of a migrated one, whose clock can be moved and whose rows can be restored. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect, migrate } from './migrate.ts'

const template = 'latchkey_template'
const lock = 7_305_202 // one test server at a time makes its database
const functions = new URL('../../../../deploy/test-server/database.sql', import.meta.url)

/** Of each later connection. */
const settings = `alter role current_user set search_path = public, pg_catalog;
  alter role current_user set synchronous_commit = off`

/** Databases of test servers that were killed: a living one keeps a connection. */
const abandoned = `
select datname from pg_database d where datname like 'test\\_%'
   and not exists (select from pg_stat_activity a where a.datname = d.datname)`

/** @param urlOf the address of the database of this name */
export const createTestDatabase = async (urlOf: (name: string) => string) => {
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = await connect(urlOf('postgres'))
  const make = async () => {
    await admin.query(`select pg_advisory_lock(${lock})`)
    for (const { datname } of (await admin.query<{ datname: string }>(abandoned)).rows)
      await admin.query(`drop database ${datname} with (force)`)
    const found = await admin.query('select from pg_database where datname = $1', [template])
    if (!found.rowCount) await admin.query(`create database ${template} template template0`)
    await admin.query(settings)
    const made = await connect(urlOf(template))
    await made.query(readFileSync(functions, 'utf8'))
    await made.end()
    await migrate(urlOf(template))
    await admin.query(`create database ${name} template ${template}`)
    return connect(urlOf(name))
  }
  const own = await make().finally(() => admin.end())
  own.on('error', () => undefined) // the next call fails

  return {
    url: urlOf(name),
    /** Keeps the present rows for `restore`. */
    keep: () => own.query('call test_keep()'),
    /** Puts back the kept rows, and the clock. */
    restore: () => own.query('call test_restore()'),
    /** @param to RFC 3339; null: by these seconds */
    moveClock: (to: string | null, by: number) =>
      own.query('call test_move_clock($1, $2)', [to, by]),
    drop: async () => {
      await own.end()
      const last = await connect(urlOf('postgres'))
      await last.query(`drop database if exists ${name} with (force)`).finally(() => last.end())
    },
  }
}

export type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>
