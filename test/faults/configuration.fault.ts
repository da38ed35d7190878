/** F-25: a misconfigured server does not start, and logs one line for each fault. */
import t, { type Test } from 'tap'
import { latchkeyProcess } from '../cli/latchkey-command.ts'
import { freePort } from '../support/free-port.ts'
import { masterKey } from '../support/latchkey.ts'
import { startServerProcess } from '../support/server-process.ts'
import { testStores } from '../support/stores.ts'

const [stores, ...others] = await testStores()
if (!stores) throw new Error('there is no store to test with')
t.teardown(() => Promise.all([stores, ...others].map((one) => one.drop())))

const good = { DATABASE_URL: stores.databaseUrl, LATCHKEY_MASTER_KEY: masterKey }

const isRefused = async (t: Test, wrong: Record<string, string>, names: string[]) => {
  const { code, stdout, stderr } = await latchkeyProcess(['serve'], { ...good, ...wrong }).ended
  t.equal(code, 2, names.join())
  t.equal(stdout, '', 'nothing was started')
  const [head, ...faults] = stderr.trimEnd().split('\n')
  t.equal(head, 'latchkey: the configuration is wrong')
  t.same(
    faults.map((line) => line.trim().split(' ')[0]),
    names,
  )
  for (const value of Object.values(wrong))
    if (value.length > 12) t.notMatch(stderr, value.trim(), 'the log repeats no value')
}

t.jobs = 4
const cases: [string, Record<string, string>][] = [
  ['LATCHKEY_MASTER_KEY', { LATCHKEY_MASTER_KEY: '' }],
  ['LATCHKEY_MASTER_KEY', { LATCHKEY_MASTER_KEY: 'changeme' }],
  ['LATCHKEY_MASTER_KEY', { LATCHKEY_MASTER_KEY: 'ab'.repeat(32) }],
  ['LATCHKEY_MASTER_KEY', { LATCHKEY_MASTER_KEY: '', NODE_ENV: 'development' }],
  ['LATCHKEY_MASTER_KEY', { LATCHKEY_MASTER_KEY: '', NODE_ENV: 'production' }],
  ['LATCHKEY_PREVIOUS_MASTER_KEYS', { LATCHKEY_PREVIOUS_MASTER_KEYS: 'an-old-one' }],
  ['ISSUER', { ISSUER: 'accounts.example.org' }],
  ['ISSUER', { ISSUER: 'https://auth.example.com/a/../b' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://me:a-password@db.example/x' }],
  ['REDIS_URL', { REDIS_URL: 'http://redis.example:6379' }],
  ['LATCHKEY_OPERATOR_TOKEN', { LATCHKEY_OPERATOR_TOKEN: 'short' }],
  ['LATCHKEY_OPERATOR_TOKEN', { LATCHKEY_OPERATOR_TOKEN: 'of-a-file-that-ends-so-0123\n' }],
  ['LATCHKEY_OPERATOR_TOKEN', { LATCHKEY_OPERATOR_TOKEN: 'x'.repeat(513) }],
  ['METRICS_TOKEN', { METRICS_TOKEN: 'of-prometheus-0123\n' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'everybody' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '0.0.0.0/0, ::/0' }],
  ['STORE_TIMEOUT_MS', { STORE_TIMEOUT_MS: 'soon' }],
  ['PORT', { PORT: '99999' }],
]

for (const [name, wrong] of cases) {
  t.test(`F-25 ${JSON.stringify(wrong)}`, { buffered: true }, (t) => isRefused(t, wrong, [name]))
}

t.test('F-25 all faults are reported at once', { buffered: true }, (t) =>
  isRefused(
    t,
    { PORT: 'http', ISSUER: 'nowhere', LATCHKEY_MASTER_KEY: '', REDIS_URL: 'redis.example' },
    ['PORT', 'ISSUER', 'LATCHKEY_MASTER_KEY', 'REDIS_URL'],
  ),
)

t.test(
  'F-25 reports a database that is unreachable or refuses the login',
  { buffered: true },
  async (t) => {
    const url = new URL(stores.databaseUrl)
    url.pathname = '/nothing_of_this_name'
    for (const DATABASE_URL of [url.href, `postgres://x@127.0.0.1:${await freePort()}/x`]) {
      const { code, stderr } = await latchkeyProcess(['serve'], { ...good, DATABASE_URL }).ended
      t.equal(code, 1)
      t.match(stderr, /^latchkey: Postgres cannot be reached: [^\n]+\n$/m)
    }
  },
)

t.test(
  'F-25 refuses to start with a master key that does not fit the database',
  { buffered: true },
  async (t) => {
    const server = await startServerProcess(t, { stores })
    server.signal('SIGTERM')
    await server.ended
    const LATCHKEY_MASTER_KEY = Buffer.from(masterKey, 'base64').reverse().toString('base64')
    const { code, stderr } = await latchkeyProcess(['serve'], { ...good, LATCHKEY_MASTER_KEY })
      .ended
    t.equal(code, 1, 'no new keys are created')
    t.match(
      stderr,
      /^latchkey: sealed under a master key that is not configured: .*LATCHKEY_MASTER_KEY/m,
    )
  },
)
