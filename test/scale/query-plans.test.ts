/**
 * Every statement of the server, recorded while it runs all its functions, must find its rows by an
 * index once the tables have grown; and every place in the stores that sends a statement must have
 * run. By day on the packaged Postgres, which runs all statements, also those that Redis replaces.
 */
import pg from 'pg'
import t, { type Test } from 'tap'
import { everyCall } from '../support/every-call.ts'
import { everyFlow } from '../support/every-flow.ts'
import { everyPage } from '../support/every-page.ts'
import { growTables } from '../support/grown-tables.ts'
import { everyAssertionCall } from '../support/identity-provider.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { openTestStores } from '../support/open-stores.ts'
import { isNight } from '../support/property.ts'
import { readsWhole } from '../support/query-plans.ts'
import { recordStatements, statementSites } from '../support/recorded-statements.ts'
import { type StoreSetup, testStores } from '../support/stores.ts'

/** Statements that may read all of a growing table. */
const allowed: [RegExp, string][] = [
  [/^select digest_key_id as "keyId", count/, '`latchkey keys status` counts by hand'],
  [/^select count\(\*\)::integer as waiting/, 'counts what waits, by an index of that alone'],
  [
    /^select\s+\(select client_id from apps order by/,
    'reads the apps, and one row of each other table',
  ],
  [
    /^select \(select count\(\*\)::integer from \(select from app_reviews/,
    'counts a hundred apps at most',
  ],
  // An empty list of addresses implies the condition of a partial index, so Postgres reads the smallest one.
  [/^select id, lower\(email\) as email from users/, 'reads the index of disabled users'],
  [
    /from grants where taken_over_from is not null/,
    'counts what came over, by indexes of that alone',
  ],
  [/from app_changes where \(decided_at is null\)/, 'reads what waits, by an index of that alone'],
  [/^select client_id as "clientId", permissions from apps/, 'reads the apps once after a start'],
]

const doEverything = async (t: Test, stores: StoreSetup) => {
  const environment = { WEBHOOK_ALLOW_PRIVATE: 'true' }
  const running = await startLatchkey(stores, { instances: 2, environment })
  const { world } = await (async () => {
    try {
      const flows = await everyFlow(t, running)
      await everyPage(t, running, flows.world)
      await everyAssertionCall(running, flows.world)
      return flows
    } finally {
      await running.stop() // This writes the buffered data.
    }
  })()
  const opened = await openTestStores(stores, { AUDIT_KEPT_DAYS: '30' })
  await everyCall(opened, stores, world.kim.id).finally(opened.close)
}

const recorded = recordStatements()

for (const stores of await testStores(isNight ? {} : { only: 'embedded' })) {
  void t.test(`statements use indexes (${stores.name})`, async (t) => {
    t.teardown(() => stores.drop())
    await doEverything(t, stores)
    const client = new pg.Client(stores.databaseUrl)
    await client.connect()
    t.teardown(() => client.end())
    const growing = await growTables(client)
    const statements = [...recorded.found.values()]
    t.ok(statements.length > 150, `${statements.length} statements`)

    for (const statement of statements) {
      if (allowed.some(([text]) => text.test(statement.text.trim()))) continue
      const whole = await readsWhole(client, statement, growing)
      t.same(
        whole,
        [],
        `${statement.site} ${statement.text.slice(0, 60)} … ${statement.text.slice(-240)}`,
      )
    }

    t.test('a missing index would be detected', async (t) => {
      const ofStatement = (start: string) => {
        const found = statements.find(({ text }) => text.trim().startsWith(start))
        if (!found) throw new Error(`no statement begins with ${start}`)
        return readsWhole(client, found, growing)
      }
      const listed = 'select id, email, name, coalesce('
      t.same(await ofStatement(listed), [])
      await client.query('drop index users_created; drop index records_expiry')
      t.same(await ofStatement(listed), ['users (Seq Scan)'])
      t.same(await ofStatement('delete from records where ctid'), ['records (Seq Scan)'])
    })

    t.test('every foreign key is indexed on its own side', async (t) => {
      // A delete on the other side searches here: an index must begin with the key's columns.
      const { rows } = await client.query<{ name: string }>(
        `select c.conname as name from pg_constraint c
          where c.contype = 'f' and not exists (
            select 1 from pg_index i where i.indrelid = c.conrelid and i.indpred is null
              and (i.indkey::smallint[])[0:cardinality(c.conkey) - 1] @> c.conkey)`,
      )
      t.same(
        rows.map((row) => row.name),
        [],
      )
    })
  })
}

void t.test('every statement was recorded', async (t) => {
  const sites = statementSites()
  t.ok(sites.length > 100, `${sites.length} places`)
  t.same(
    sites.filter((one) => !recorded.sites.has(one)),
    [],
  )
})
