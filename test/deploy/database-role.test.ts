// Nightly, and when deploy/, migrations/ or src/stores changes: it restores a dump as another role.
/**
 * The role from deploy/postgres/create-database.sh has the rights that the server needs, and no
 * others.
 */
import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import t, { type Test } from 'tap'
import { latchkey } from '../cli/latchkey-command.ts'
import { everyFlow } from '../support/every-flow.ts'
import { masterKey } from '../support/latchkey.ts'
import { noPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { startServerProcess } from '../support/server-process.ts'
import { findSystemPostgres } from '../support/system-postgres.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const run = promisify(execFile)
const script = join(import.meta.dirname, '../../deploy/postgres/create-database.sh')
const password = `it's "quoted" \\ and $odd`

const urlOf = (base: string, user: string, secret: string, database: string) => {
  const url = new URL(base)
  url.username = user
  url.password = encodeURIComponent(secret)
  url.pathname = database
  return url.href
}

/** A Postgres as the image starts it, with the superuser `postgres`. */
const startPostgres = async (t: Test) => {
  const { url } = await startOwnPostgres(t)
  const first = new pg.Client(url)
  await first.connect()
  await first.query(`create role postgres superuser login password 'of-the-superuser'`)
  await first.end()
  const superuser = urlOf(url, 'postgres', 'of-the-superuser', 'postgres')
  const admin = new pg.Client(superuser)
  await admin.connect()
  t.teardown(() => admin.end())
  await admin.query('alter role latchkey rename to first')
  return { url, superuser, admin }
}

const createScene = async (t: Test) => {
  const postgres = await startPostgres(t)
  const directory = await temporaryDirectory('database-role')
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const file = async (name: string, content: string) => {
    await writeFile(join(directory, name), content, { mode: 0o600 })
    return join(directory, name)
  }
  const { hostname, port } = new URL(postgres.url)
  /** Runs the script as the image does. */
  const create = (passwordFile: string) =>
    run('sh', [script], {
      env: {
        PATH: process.env.PATH,
        PGHOST: hostname,
        PGPORT: port,
        PGPASSWORD: 'of-the-superuser',
        DATABASE_PASSWORD_FILE: passwordFile,
      },
    })
  return { ...postgres, file, create }
}

t.test('the role owns its database and has no other rights', noPostgres || {}, async (t) => {
  const { url, admin, file, create } = await createScene(t)
  await t.rejects(create(await file('empty', '')), /DATABASE_PASSWORD_FILE is empty/)
  const { stdout, stderr } = await create(await file('password', `${password}\n`))
  t.equal(stdout + stderr, '', 'the password is not printed')

  const { rows } = await admin.query(
    `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
       (select count(*)::int from pg_auth_members m where m.member = r.oid) as memberships,
       (select string_agg(datname, ',') from pg_database d where d.datdba = r.oid) as owned
       from pg_roles r where rolname = 'latchkey'`,
  )
  t.same(rows, [
    {
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolreplication: false,
      rolbypassrls: false,
      memberships: 0,
      owned: 'latchkey',
    },
  ])

  const own = new pg.Client(urlOf(url, 'latchkey', password, 'latchkey'))
  await own.connect()
  t.teardown(() => own.end())
  for (const statement of [
    'create role other',
    'create database other',
    'alter role latchkey superuser',
    'set role postgres',
    `copy (select 1) to program 'true'`,
    `select pg_read_file('postgresql.conf')`,
    'select passwd from pg_shadow',
    `alter system set log_statement = 'all'`,
  ])
    await t.rejects(own.query(statement), { code: '42501' }, statement)
  const elsewhere = new pg.Client(urlOf(url, 'latchkey', password, 'postgres'))
  await t.rejects(elsewhere.connect(), { code: '42501' }, 'no other database')

  await admin.query(`create role stranger login password 'of-a-stranger'`)
  const stranger = new pg.Client(urlOf(url, 'stranger', 'of-a-stranger', 'latchkey'))
  await t.rejects(stranger.connect(), { code: '42501' }, 'no other role in this one')
})

t.test('the server migrates and serves every flow as that role', noPostgres || {}, async (t) => {
  const { url, admin, file, create } = await createScene(t)
  await create(await file('password', `${password}\n`))
  const databaseUrl = urlOf(url, 'latchkey', password, 'latchkey')
  const server = await startServerProcess(t, {
    stores: { databaseUrl: '', redisUrl: null },
    environment: { WORKERS: '2', DATABASE_URL_FILE: await file('url', `${databaseUrl}\n`) },
  })
  await everyFlow(t, { ...server, urls: [server.url] })
  const { rows } = await admin.query(
    `select distinct usename from pg_stat_activity where datname = 'latchkey'`,
  )
  t.same(rows, [{ usename: 'latchkey' }])
  for (const secret of [password, encodeURIComponent(password)])
    t.notMatch(server.log(), secret, 'the log has no password')
})

t.test('a dump that a superuser owned is restored as that role', noPostgres || {}, async (t) => {
  const { url, superuser, admin, file, create } = await createScene(t)
  const old = urlOf(superuser, 'postgres', 'of-the-superuser', 'old')
  await admin.query('create database old template template0')
  const settings = { LATCHKEY_MASTER_KEY: masterKey }
  t.equal((await latchkey(['migrate'], { ...settings, DATABASE_URL: old })).code, 0)
  await create(await file('password', `${password}\n`))
  const bin = (await findSystemPostgres()) ?? ''
  const dump = await file('latchkey.dump', '')
  const DATABASE_URL = urlOf(url, 'latchkey', password, 'latchkey')
  await run(join(bin, 'pg_dump'), ['--format=custom', `--file=${dump}`, old])
  const how = ['--single-transaction', '--exit-on-error', '--no-owner']
  await run(join(bin, 'pg_restore'), [...how, `--dbname=${DATABASE_URL}`, dump])
  const after = await latchkey(['migrate', '--json'], { ...settings, DATABASE_URL })
  t.same(JSON.parse(after.stdout), { applied: [] }, after.stderr)
  const own = new pg.Client(DATABASE_URL)
  await own.connect()
  t.teardown(() => own.end())
  await own.query('drop schema public cascade')
  await own.query('create schema public')
  t.pass('a restore needs no superuser')
})
