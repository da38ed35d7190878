import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t, { type Test } from 'tap'
import { migrate } from '../../../../src/stores/postgres/connection/migrate.ts'
import { runProgram } from '../../../support/program.ts'
import { type StoreSetup, testStores } from '../../../support/stores.ts'

const onDisk = (await readdir(join(import.meta.dirname, '../../../../migrations'))).toSorted()
const migrator = join(import.meta.dirname, 'migrator.ts')
const five = <Result>(work: () => Promise<Result>) => Promise.all([1, 2, 3, 4, 5].map(work))

const connected = async (t: Test, { databaseUrl }: StoreSetup) => {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  t.teardown(() => client.end())
  return client
}

/** A test on an empty database of each kind of server. */
const onEach = async (name: string, work: (t: Test, stores: StoreSetup) => Promise<void>) => {
  for (const stores of await testStores({ content: 'nothing' })) {
    t.test(`${name} (${stores.name})`, async (t) => {
      t.teardown(() => stores.drop())
      await work(t, stores)
    })
  }
}

const tables = async (client: pg.Client) => {
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  return rows.map((row) => row.name)
}

await onEach(
  'five concurrent migrations take turns, and each migration is applied once',
  async (t, { databaseUrl }) => {
    const applied = await five(() => migrate(databaseUrl))
    t.same(applied.flat().toSorted(), onDisk)
    t.same(await migrate(databaseUrl), [], 'later there is nothing to do')
  },
)

await onEach('five concurrent processes do the same', async (t, { databaseUrl }) => {
  const said = await five(() => runProgram(migrator, databaseUrl))
  t.same(said.flatMap((one) => JSON.parse(one)).toSorted(), onDisk)
})

await onEach('a migration that was changed afterwards is refused', async (t, stores) => {
  await migrate(stores.databaseUrl)
  const client = await connected(t, stores)
  await client.query(`update migrations set sha256 = 'another'`)
  await t.rejects(migrate(stores.databaseUrl), {
    message: `migration ${onDisk[0]} was changed after it was applied`,
  })
  await t.rejects(migrate(stores.databaseUrl), 'repeated, so it holds no lock')
})

await onEach('a failing migration leaves no changes', async (t, stores) => {
  const client = await connected(t, stores)
  await client.query('create table grants ()')
  await t.rejects(migrate(stores.databaseUrl), { code: '42P07' })
  t.same(await tables(client), ['grants'])
  await client.query('drop table grants')
  t.same(await migrate(stores.databaseUrl), onDisk)
})

await onEach(
  'a migration that loses its connection while waiting fails cleanly',
  async (t, stores) => {
    const client = await connected(t, stores)
    await client.query('select pg_advisory_lock(7305201)')
    const waiting = migrate(stores.databaseUrl)
    const refused = t.rejects(waiting, /terminat|connection/i)
    for (let ended = 0; ended === 0; await sleep(20)) {
      const { rowCount } = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
      )
      ended = rowCount ?? 0
    }
    await refused
  },
)

/** The limit that docs/deploying.md advises behind a pooler, for this database only. */
const limitStatements = (client: pg.Client) =>
  client.query(`do $$ begin
    execute format('alter role current_user in database %I set statement_timeout = 100', current_database());
  end $$`)

await onEach('a role’s statement timeout does not apply to migrations', async (t, stores) => {
  const client = await connected(t, stores)
  await limitStatements(client)
  await client.query('select pg_advisory_lock(7305201)')
  await t.rejects(migrate(stores.databaseUrl, 500), {
    message: /^another process has been migrating this database for/,
  })
  await client.query(`
    create table migrations (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now());
    create function take_long() returns trigger language plpgsql as
      $$ begin perform pg_sleep(0.3); return new; end $$;
    create trigger take_long before insert on migrations
      for each row when (new.name = '${onDisk[0]}') execute function take_long()`)
  const waiting = migrate(stores.databaseUrl)
  await sleep(300)
  await client.query('select pg_advisory_unlock(7305201)')
  t.same(await waiting, onDisk)
})
