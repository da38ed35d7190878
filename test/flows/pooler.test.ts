// Nightly, and when src/stores or migrations/ changes: it starts poolers.
/**
 * Behind a PgBouncer in transaction mode, which keeps no state on a connection between
 * transactions.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { openDatabase } from '../../src/stores/postgres/connection/database.ts'
import { migrate } from '../../src/stores/postgres/connection/migrate.ts'
import { checkSettings } from '../../src/stores/postgres/connection/settings.ts'
import { latchkeyProcess } from '../cli/latchkey-command.ts'
import { everyFlow } from '../support/every-flow.ts'
import { everyPage } from '../support/every-page.ts'
import { clientCredentials } from '../support/flows.ts'
import { masterKey, startLatchkey } from '../support/latchkey.ts'
import { keepsStatements, noPooler, startPooler } from '../support/pgbouncer.ts'
import { testStores } from '../support/stores.ts'
import { sql } from '../support/traces.ts'

const serverConnections = 4
const [stores] = await testStores({ only: 'servers', content: 'nothing' })
if (stores) t.teardown(() => stores.drop())
const databaseUrl = stores?.databaseUrl ?? ''
const missing = stores ? noPooler : 'NOT TESTED: a pooler, no Postgres is installed'
if (missing && process.env.CI) throw new Error(missing)
const skipped = missing ? { skip: missing } : {}

t.test('five instances migrate an empty database at once', skipped, async (t) => {
  const { url } = await startPooler(t, databaseUrl, 2)
  const applied = await Promise.all([1, 2, 3, 4, 5].map(() => migrate(url)))
  const names = applied.flat()
  t.ok(names.length > 0)
  t.equal(new Set(names).size, names.length, 'each migration is applied once')
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { rows } = await client.query(
    `select 1 from pg_locks join pg_database d on d.oid = database
      where locktype = 'advisory' and d.datname = current_database()`,
  )
  await client.end()
  t.same(rows, [], 'no lock stays on a connection of the pooler')
})

t.test('every flow works on two instances', skipped, async (t) => {
  const pooler = await startPooler(t, databaseUrl, serverConnections)
  const running = await startLatchkey(
    { ...stores!, databaseUrl: pooler.url },
    {
      instances: 2,
      environment: { DATABASE_POOLER: 'transaction', WEBHOOK_ALLOW_PRIVATE: 'true' },
    },
  )
  t.teardown(running.stop)
  const { world } = await everyFlow(t, running)
  await everyPage(t, running, world)
  const many = await Promise.all(
    Array.from({ length: 200 }, (_, at) =>
      clientCredentials(running.urls[at % 2] as string, world.confidential, world.acme),
    ),
  )
  t.same(new Set(many.map(({ status }) => status)), new Set([200]))
  const { servers, clients } = await pooler.counts()
  t.ok(clients > serverConnections, `${clients} connections of ours`)
  t.ok(servers <= serverConnections, `share ${servers} of Postgres`)
  const odd = running.log.filter((line) => /"level":(50|60)/.test(line))
  t.same(odd, [])
})

t.test(
  'a transaction has its timeouts, and the next one does not inherit them',
  skipped,
  async (t) => {
    const pooler = await startPooler(t, databaseUrl, 1)
    const database = openDatabase({
      url: pooler.url,
      poolSize: 2,
      pooler: 'transaction',
      timeout: 1500,
      onError: () => undefined,
    })
    t.teardown(database.close)
    await t.rejects(
      database.transaction((tx) => tx.query('select pg_sleep(20)')),
      { name: 'StoreUnavailable' },
    )
    const { rows } = await database.query<{ limit: string }>(
      `select current_setting('statement_timeout') as limit`,
    )
    t.same(rows, [{ limit: '0' }])
  },
)

t.test('settings of the role are overruled, or the start names them', skipped, async (t) => {
  const [row] = await sql<{ name: string }>({ databaseUrl }, 'select current_database() as name')
  const set = (how: string) => sql({ databaseUrl }, `alter database "${row?.name}" ${how}`)
  for (const one of [`datestyle = 'German, DMY'`, `timezone = 'Asia/Kathmandu'`])
    await set(`set ${one}`)
  await set('set standard_conforming_strings = off')
  const { url } = await startPooler(t, databaseUrl, 2)
  await migrate(url)
  const options = { url, poolSize: 4, pooler: 'transaction', timeout: 5000 } as const
  const database = openDatabase({ ...options, onError: () => undefined })
  t.teardown(database.close)
  await checkSettings(database)
  const read = () => database.value<Date>(`select '2026-11-28T10:00:00Z'::timestamptz`)
  const all = await Promise.all(Array.from({ length: 20 }, read))
  t.ok(all.every((at) => at?.toISOString() === '2026-11-28T10:00:00.000Z'))

  await set(`set bytea_output = 'escape'`)
  const fresh = await startPooler(t, databaseUrl, 2)
  const { code, stderr } = await latchkeyProcess(['serve'], {
    DATABASE_URL: fresh.url,
    DATABASE_POOLER: 'transaction',
    LATCHKEY_MASTER_KEY: masterKey,
    LOG_LEVEL: 'silent',
  }).ended
  t.equal(code, 1)
  t.match(stderr, `bytea_output is 'escape'`)
  await set('reset all')
})

t.test('an undeclared pooler is reported by name', skipped, async (t) => {
  const { url } = await startPooler(t, databaseUrl, serverConnections)
  const { code, stderr } = await latchkeyProcess(['serve'], {
    DATABASE_URL: url,
    LATCHKEY_MASTER_KEY: masterKey,
    LOG_LEVEL: 'silent',
  }).ended
  t.equal(code, 1)
  t.match(stderr, 'set DATABASE_POOLER')
})

t.test('named statements are mixed up without the setting', skipped, async (t) => {
  // The reason for the setting: this pooler gives each transaction to any free connection.
  const { url } = await startPooler(t, databaseUrl, serverConnections)
  const database = openDatabase({
    url,
    poolSize: 8,
    pooler: 'prepared',
    timeout: 2000,
    onError: () => undefined,
  })
  t.teardown(database.close)
  const ask = () => database.query('select $1::integer as one', [1], 'the_same_name')
  let refused = ''
  for (let round = 0; round < 50 && refused === ''; round++) {
    const answers = await Promise.allSettled(Array.from({ length: 8 }, ask))
    const failed = answers.find((one) => one.status === 'rejected')
    if (failed) refused = String(failed.reason?.cause?.message ?? failed.reason)
    await sleep(1)
  }
  t.match(refused, 'set DATABASE_POOLER')
})

const notKept = keepsStatements
  ? skipped
  : { skip: 'NOT TESTED: this pgbouncer keeps no named statements (1.21 does)' }
t.test('works with a pooler that supports named statements', notKept, async (t) => {
  const pooler = await startPooler(t, databaseUrl, serverConnections, 200)
  const running = await startLatchkey(
    { ...stores!, databaseUrl: pooler.url },
    { instances: 2, environment: { DATABASE_POOLER: 'prepared' } },
  )
  t.teardown(running.stop)
  await everyFlow(t, running)
  t.same(
    running.log.filter((line) => /"level":(50|60)/.test(line)),
    [],
  )
})
