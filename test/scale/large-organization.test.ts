// Nightly, and when migrations/ changes: it makes an organization with many workspaces.
/** The cost of a refresh depends on its user, not on the size of the organization. */
import pg from 'pg'
import t from 'tap'
import { currentCode, exchangeCode, refresh } from '../support/flows.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { recordStatements } from '../support/recorded-statements.ts'
import { testStores } from '../support/stores.ts'
import { createWorld } from '../support/world.ts'

interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

const size = 3000

const rowsReadOf = (relation: string, node: PlanNode): number => {
  const here = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
  const own = node['Relation Name'] === relation ? here * node['Actual Loops'] : 0
  return (node.Plans ?? []).reduce((sum, part) => sum + rowsReadOf(relation, part), own)
}

const recorded = recordStatements()

for (const stores of await testStores()) {
  void t.test(`a refresh in a large organization reads few rows (${stores.name})`, async (t) => {
    t.teardown(() => stores.drop())
    const running = await startLatchkey(stores)
    t.teardown(running.stop)
    const client = new pg.Client(stores.databaseUrl)
    await client.connect()
    t.teardown(() => client.end())
    const { confidential, ana, acme } = await createWorld(running)
    const grant = await currentCode(running, confidential, ana)
    const { refresh_token: token } = (await exchangeCode(running.issuer, confidential, grant)).body

    // Statistics of small organizations only: Postgres notices a large one later.
    await client.query(
      `insert into organizations (id, name) select 'sorg' || n, 'O' from generate_series(1, 500) n`,
    )
    await client.query(
      `insert into workspaces (id, organization_id, name)
       select 'swks' || n, 'sorg' || (n % 500 + 1), 'W' from generate_series(1, 1000) n`,
    )
    await client.query('alter table workspaces set (autovacuum_enabled = false)')
    await client.query('analyze')
    await client.query(
      `insert into workspaces (id, organization_id, name)
       select 'awks' || n, $1, 'W' from generate_series(1, ${size}) n`,
      [acme],
    )

    t.equal((await refresh(running.issuer, confidential, token)).status, 200)
    const statement = [...recorded.found.values()].find(({ name }) => name === 'load_grant')
    if (!statement) throw new Error('nothing was loaded')
    const values = [
      [confidential.client_id],
      (await client.query('select id from grants where user_id = $1', [ana.id])).rows.map(
        ({ id }) => id,
      ),
    ]
    const { rows } = await client.query(`explain (analyze, format json) ${statement.text}`, values)
    const read = rowsReadOf('workspaces', rows[0]['QUERY PLAN'][0].Plan)
    t.ok(read > 0 && read < 10, `${read} of ${size} workspaces were read`)
  })
}
