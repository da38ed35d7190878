// Nightly: it migrates 200,000 rows.
/**
 * F-17, F-18: migrations next to a running server, killed half way, run concurrently, blocked by
 * locks, and without a Postgres.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t, { type Test } from 'tap'
import { latchkeyProcess } from '../cli/latchkey-command.ts'
import { type Chain, keepRotating, newChains, replayAll } from '../support/chains.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { masterKey } from '../support/latchkey.ts'
import { nextVersion } from '../support/next-version.ts'
import { familyOf } from '../support/seeded-chains.ts'
import { startServerProcess } from '../support/server-process.ts'
import { type StoreSetup, testStores } from '../support/stores.ts'
import { countRows, sql } from '../support/traces.ts'
import { createWorld } from '../support/world.ts'

const rounds = Number(process.env.LATCHKEY_FAULT_ROUNDS ?? 4)
const rows = Number(process.env.LATCHKEY_FAULT_ROWS ?? 200_000)
const families = 12
const timeLimit = 40_000
const lock = 7_305_201

const migrating = (
  databaseUrl: string,
  { command = 'migrate', path = undefined as string | undefined, timeout = 60_000 } = {},
) =>
  latchkeyProcess(
    [command],
    {
      DATABASE_URL: databaseUrl,
      LATCHKEY_MASTER_KEY: masterKey,
      MIGRATION_TIMEOUT_MS: String(timeout),
    },
    path,
  )

/** A typical next version: a column, a table filled from a large one, and an index. */
const expansion = {
  '9001_column.sql': 'alter table grants add column region text;',
  '9002_filled.sql': `
    create table grant_regions (grant_id uuid primary key, region text not null);
    insert into grant_regions select id, md5(id::text) from grants;
    select pg_sleep(3);`, // Time to be killed in.
  '9003_index.sql': 'create index grants_region on grants (region) where region is not null;',
}
const names = Object.keys(expansion)

const connected = async (t: Test, { databaseUrl }: Pick<StoreSetup, 'databaseUrl'>) => {
  const client = new pg.Client(databaseUrl)
  client.on('error', () => undefined)
  await client.connect()
  t.teardown(() => client.end())
  return client
}

const appliedIn = async (stores: StoreSetup) => {
  const found = await sql<{ name: string }>(stores, 'select name from migrations order by name')
  return found.map(({ name }) => name).filter((name) => names.includes(name))
}

/** Waits until a migrator runs this statement. */
const untilRuns = (stores: StoreSetup, statement: string) =>
  eventually(async () => {
    const found = await sql(
      stores,
      `select 1 from pg_stat_activity where datname = current_database()
          and application_name = 'latchkey migrate' and state <> 'idle' and query like $1`,
      [`%${statement}%`],
    )
    return found.length > 0
  })

/** Without the triggers that look at each row. */
const seed = (stores: StoreSetup, chains: Chain[]) =>
  sql(
    stores,
    `begin;
     set local session_replication_role = replica;
     insert into grants
     select (jsonb_populate_record(g, jsonb_build_object('id', gen_random_uuid()))).*
       from grants g, generate_series(1, ${rows})
      where g.id = '${familyOf(chains[0]?.tokens[0] as string)}';
     commit`,
  )

/** A server under load, with many rows. */
const underLoad = async (t: Test, stores: StoreSetup) => {
  const server = await startServerProcess(t, { stores })
  const { confidential: app, ana } = await createWorld(server)
  const chains = await newChains(server, app, ana, families)
  if ((await countRows(stores, 'grants')) < rows) await seed(stores, chains)
  const rotating = keepRotating(chains, app, () => server.url, 10)
  await eventually(() => rotating.tally.ok > families)
  return {
    url: server.url,
    app,
    chains,
    rotating,
    /** The results that the apps got. */
    end: async (t: Test) => {
      const { ok, odd, lost, away, invalidGrant, twice, slowest } = await rotating.stop()
      t.same([odd, lost, away, invalidGrant, twice], [[], 0, 0, 0, 0], `${ok} went well`)
      t.comment(`the slowest took ${Math.round(slowest)} ms`)
    },
  }
}

const [first, ...others] = (await testStores({ content: 'nothing' })).toReversed()
if (!first) throw new Error('there is no store to test with')
t.teardown(() => Promise.all([first, ...others].map((one) => one.drop())))

t.test('F-17 a migration under load can be killed half way and repeated', async (t) => {
  const path = await nextVersion(t, expansion)
  const { url, app, chains, rotating, end } = await underLoad(t, first)
  const killed = migrating(first.databaseUrl, { path })
  await untilRuns(first, 'grant_regions')
  killed.child.kill('SIGKILL')
  await killed.ended
  t.same(await appliedIn(first), names.slice(0, 1), 'half way')
  const again = await migrating(first.databaseUrl, { path }).ended
  t.match(again, { code: 0, stdout: /applied 9002_filled[\s\S]*applied 9003_index/ })
  t.same(await appliedIn(first), names)
  t.ok((await countRows(first, 'grant_regions')) > rows, `${rows} rows and more`)
  const before = rotating.tally.ok
  await eventually(() => rotating.tally.ok > before + families)
  await end(t)
  await replayAll(t, url, app, chains)
  const old = await startServerProcess(t, { stores: first })
  t.equal((await fetch(`${old.url}/health/ready`)).status, 200, 'this version starts on it too')
})

t.test('F-17 a migration that waits for a table does not block others', async (t) => {
  const path = await nextVersion(t, {
    ...expansion,
    '9004_more.sql': 'alter table grants add more text;',
  })
  const { rotating, end } = await underLoad(t, first)
  const client = await connected(t, first)
  await client.query('begin; select 1 from grants limit 1') // Holds the table, like a long report.
  const waiting = migrating(first.databaseUrl, { path })
  await untilRuns(first, 'add more')
  const before = rotating.tally.ok
  await eventually(() => rotating.tally.ok > before + 10 * families)
  t.equal(waiting.child.exitCode, null, 'it retries')
  await client.query('commit')
  t.match(await waiting.ended, { code: 0, stdout: /applied 9004_more/ })

  await client.query('begin; select 1 from grants limit 1')
  const path2 = await nextVersion(t, {
    ...expansion,
    '9004_more.sql': 'alter table grants add more text;',
    '9005_most.sql': 'alter table grants add most text;',
  })
  const refused = await migrating(first.databaseUrl, { path: path2, timeout: 2000 }).ended
  t.equal(refused.code, 1, 'not forever')
  t.match(
    refused.stderr,
    /^latchkey: migration 9005_most.sql found its tables in use for 2 s: .+$/m,
  )
  await client.query('commit')
  await end(t)
})

t.test('F-18 five concurrent migrations with a hanging one give up in time', async (t) => {
  const stores = others[0] ?? first
  const path = await nextVersion(t, {
    ...expansion,
    '9009_slow.sql': 'create table slow (); select pg_sleep(10);',
  })
  await migrating(stores.databaseUrl).ended
  const stuck = migrating(stores.databaseUrl, { path })
  await untilRuns(stores, 'pg_sleep')
  stuck.child.kill('SIGSTOP')
  t.teardown(() => stuck.child.kill('SIGKILL'))
  const began = performance.now()
  const four = await Promise.all(
    [1, 2, 3, 4].map(() => migrating(stores.databaseUrl, { path, timeout: 3000 }).ended),
  )
  t.ok(performance.now() - began < timeLimit, 'none waits forever')
  for (const { code, stderr } of four) {
    t.equal(code, 1)
    t.match(stderr, /^latchkey: another process has been migrating this database for 3 s .+$/m)
  }
  const server = migrating(stores.databaseUrl, { path, timeout: 1000, command: 'serve' })
  t.match(await server.ended, { code: 1, stderr: /another process has been migrating/ })
  stuck.child.kill('SIGKILL')
  await stuck.ended
  const quick = await nextVersion(t, { ...expansion, '9009_slow.sql': 'create table slow ()' })
  const all = await Promise.all(
    [1, 2, 3, 4, 5].map(() => migrating(stores.databaseUrl, { path: quick }).ended),
  )
  t.same(
    all.map(({ code }) => code),
    [0, 0, 0, 0, 0],
    'without it all succeed',
  )
  const client = await connected(t, stores)
  const free = await client.query('select pg_try_advisory_lock($1) as taken', [lock])
  t.same(free.rows, [{ taken: true }], 'no lock remains')
})

for (const stores of await testStores({ content: 'nothing' })) {
  t.test(`F-17, F-18 killed half way, then five at once (${stores.name})`, async (t) => {
    t.teardown(() => stores.drop())
    for (let round = 0; round < rounds; round++) {
      const { child, ended } = migrating(stores.databaseUrl)
      await Promise.race([ended, sleep(300 + Math.random() * 500)])
      child.kill('SIGKILL')
      await ended
    }
    const five = [1, 2, 3, 4, 5].map(() => migrating(stores.databaseUrl).ended)
    const all = await Promise.all(five)
    t.same(
      all.map(({ code }) => code),
      [0, 0, 0, 0, 0],
    )
    const applied = all.flatMap(({ stdout }) => stdout.match(/applied \S+/g) ?? [])
    t.equal(new Set(applied).size, applied.length, 'each at most once')
    t.match(await migrating(stores.databaseUrl).ended, { code: 0, stdout: /up to date/ })
  })
}

t.test('F-17 a migration does not wait for an unreachable or silent Postgres', async (t) => {
  const silent = createServer((socket) => socket.on('error', () => undefined))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.teardown(() => silent.close())
  const began = performance.now()
  const all = [await freePort(), (silent.address() as AddressInfo).port].flatMap((port) =>
    ['migrate', 'serve'].map(async (command) => {
      const url = `postgres://x@127.0.0.1:${port}/x`
      const { code, stderr } = await migrating(url, { command }).ended
      t.equal(code, 1, command)
      t.match(stderr, /latchkey: Postgres cannot be reached: /)
    }),
  )
  await Promise.all(all)
  t.ok(performance.now() - began < 2 * timeLimit, 'in time')
})
