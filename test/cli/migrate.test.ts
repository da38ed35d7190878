import t from 'tap'
import { masterKey } from '../support/latchkey.ts'
import { testStores } from '../support/stores.ts'
import { latchkey } from './latchkey-command.ts'

for (const stores of await testStores({ content: 'nothing' })) {
  t.teardown(() => stores.drop())

  t.test(`migrate lists the applied migrations once (${stores.name})`, async (t) => {
    const env = { DATABASE_URL: stores.databaseUrl, LATCHKEY_MASTER_KEY: masterKey }
    const first = await latchkey(['migrate'], env)
    t.equal(first.code, 0, first.stderr)
    t.match(first.stdout, 'applied 0001_initial.sql')
    t.match(first.stdout, 'up to date (DATABASE_URL)')
    t.notMatch(first.stdout, stores.databaseUrl)

    const second = await latchkey(['migrate', '--json'], env)
    t.equal(second.code, 0)
    t.same(JSON.parse(second.stdout), { applied: [] })
  })
}

t.test('an unavailable database is one line and exit code 1', async (t) => {
  const { code, stderr } = await latchkey(['migrate'], {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    LATCHKEY_MASTER_KEY: masterKey,
  })
  t.equal(code, 1)
  t.match(stderr, /^Database: 127\.0\.0\.1:1\/none \(DATABASE_URL\)\nlatchkey: .*ECONNREFUSED.*\n$/)
})
