/** Settings of the database that change what a client reads. */
import t from 'tap'
import { openDatabase } from '../../../../src/stores/postgres/connection/database.ts'
import { checkSettings } from '../../../../src/stores/postgres/connection/settings.ts'
import { clientCredentials } from '../../../support/flows.ts'
import { startLatchkey } from '../../../support/latchkey.ts'
import { signedIn } from '../../../support/signed-in.ts'
import { testStores } from '../../../support/stores.ts'
import { sql } from '../../../support/traces.ts'
import { createWorld } from '../../../support/world.ts'

const foreign = {
  array_nulls: 'off',
  backslash_quote: 'off',
  bytea_output: 'escape',
  client_encoding: 'LATIN1',
  datestyle: 'German, DMY',
  default_toast_compression: 'pglz',
  default_transaction_isolation: 'serializable',
  exit_on_error: 'on',
  extra_float_digits: '-15',
  idle_in_transaction_session_timeout: '1',
  intervalstyle: 'sql_standard',
  lock_timeout: '1',
  plan_cache_mode: 'force_generic_plan',
  quote_all_identifiers: 'on',
  row_security: 'off',
  standard_conforming_strings: 'off',
  statement_timeout: '30000',
  timezone: 'Asia/Kathmandu',
  transform_null_equals: 'on',
  xmlbinary: 'hex',
}

for (const stores of await testStores({ content: 'nothing' })) {
  t.test(`${stores.name}: foreign settings of the database`, async (t) => {
    t.teardown(() => stores.drop())
    const [row] = await sql<{ name: string }>(stores, 'select current_database() as name')
    const set = (how: string) => sql(stores, `alter database "${row?.name}" ${how}`)
    for (const [name, value] of Object.entries(foreign)) await set(`set ${name} = '${value}'`)

    const running = await startLatchkey(stores)
    t.teardown(running.stop)
    const world = await createWorld(running)
    const token = await clientCredentials(running.issuer, world.confidential, world.acme)
    t.equal(token.status, 200)
    const browser = await signedIn(running.issuer, world.ana)
    for (const path of ['/', '/account/apps', '/account/sessions'])
      t.equal((await browser.get(path)).status, 200, path)
    const { body } = await running.operator('GET', `/users/${world.ana.id}`)
    t.match(body.created_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    t.same(
      running.log.filter((line) => /"level":(50|60)/.test(line)),
      [],
    )

    for (const pooler of ['none', 'transaction'] as const) {
      const options = { url: stores.databaseUrl, poolSize: 1, pooler, timeout: 1000 }
      const database = openDatabase({ ...options, onError: () => undefined })
      t.teardown(database.close)
      const at = await database.value<Date>(`select '2026-11-28T10:00:00Z'::timestamptz`)
      t.equal(at?.toISOString(), '2026-11-28T10:00:00.000Z', pooler)
      const checked = checkSettings(database)
      if (pooler === 'none') await checked
      else await t.rejects(checked, { message: /bytea_output is 'escape' and must be 'hex'/ })
    }
  })
}
