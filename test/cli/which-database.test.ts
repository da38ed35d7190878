// Nightly, and when src/cli or src/stores changes: it starts servers and databases of their own.
/** Commands that open a database say which, and create none. */
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { findPackage } from '../../src/stores/embedded/package.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { masterKey, startLatchkey } from '../support/latchkey.ts'
import { testStores } from '../support/stores.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { latchkey, latchkeyProcess } from './latchkey-command.ts'

const hasPackage = (await findPackage().catch(() => null)) !== null
const skip = hasPackage ? {} : { skip: 'there is no packaged Postgres here' }
const folder = await temporaryDirectory('which')
t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
const create = ['operator-token', 'create', '--name', 'deploy']

t.test('without a database, a command creates none', async (t) => {
  const data = join(folder, 'empty/data')
  for (const args of [create, ['operator-token', 'list'], ['keys', 'status'], ['migrate']]) {
    const { code, stdout, stderr } = await latchkey(args, { LATCHKEY_DATA: data })
    t.equal(code, 2, args.join(' '))
    t.equal(stdout, '')
    t.match(stderr, `latchkey: there is no database in ${data}\n`)
    t.match(stderr, 'LATCHKEY_DATA')
    t.match(stderr, 'DATABASE_URL')
    t.notMatch(stderr, 'for the demo')
  }
  t.same(await readdir(folder), [], 'nothing was created')
})

t.test('in a folder with a demo only, the refusal names its data', async (t) => {
  const data = join(folder, 'with-demo')
  await mkdir(join(data, 'demo/postgres/data'), { recursive: true })
  const { code, stderr } = await latchkey(create, { LATCHKEY_DATA: data })
  t.equal(code, 2)
  t.match(stderr, `for the demo: LATCHKEY_DATA=${data}/demo\n`)
})

const startServer = async (data: string) => {
  const port = await freePort()
  const env = { PORT: String(port), LATCHKEY_DATA: data }
  const { child, said, ended } = latchkeyProcess(['serve'], env)
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`the server does not start: ${said.stderr}`)
    return said.stdout.includes('"msg":"listening"')
  })
  return { port, url: `http://127.0.0.1:${port}`, stop }
}

t.test('a command joins the database of a running server, and names both', skip, async (t) => {
  const data = join(folder, 'data')
  const server = await startServer(data)
  t.teardown(server.stop)
  const made = await latchkey(create, { LATCHKEY_DATA: data })
  t.equal(made.code, 0, made.stderr)
  const words = `Database: ${data} (used by the server 127.0.0.1:${server.port})\n`
  t.ok(made.stderr.startsWith(words), made.stderr)
  const own = { LATCHKEY_URL: server.url, LATCHKEY_OPERATOR_TOKEN: made.stdout.trim() }
  const listed = await latchkey(['org', 'list'], own)
  t.equal(listed.code, 0, listed.stderr)
  t.equal(listed.stderr, `Server: ${server.url}\n`)

  await server.stop()
  const later = { LATCHKEY_DATA: data, LATCHKEY_URL: server.url }
  const found = await latchkey(['operator-token', 'list'], later)
  t.equal(found.code, 0, found.stderr)
  t.equal(found.stderr, `Database: ${data} (no server uses it now)\n`)
  t.match(found.stdout, 'deploy')
})

for (const stores of await testStores()) {
  t.test(`a stopped database is not that of another server (${stores.name})`, skip, async (t) => {
    const running = await startLatchkey(stores)
    t.teardown(async () => {
      await running.stop()
      await stores.drop()
    })
    const data = join(folder, 'with-demo/demo')
    const env = { LATCHKEY_DATA: data, LATCHKEY_URL: running.issuer }
    const refused = await latchkey(create, env)
    t.equal(refused.code, 2)
    t.equal(refused.stdout, '')
    t.match(refused.stderr, `the server at ${running.issuer} does not use the database in ${data}`)

    const database = { DATABASE_URL: stores.databaseUrl, LATCHKEY_MASTER_KEY: masterKey }
    const made = await latchkey(create, database)
    t.equal(made.code, 0, made.stderr)
    t.match(made.stderr, /^Database: \S+ \(DATABASE_URL\)\n/)
    t.match(made.stderr, new URL(stores.databaseUrl).pathname)
    const other = await latchkey(['migrate'], {
      DATABASE_URL: 'postgres://latchkey:not-shown@127.0.0.1:1/none',
      LATCHKEY_MASTER_KEY: masterKey,
    })
    t.ok(other.stderr.startsWith('Database: 127.0.0.1:1/none (DATABASE_URL)\n'))
    t.notMatch(other.stderr, 'not-shown')
  })
}
