// Nightly, and when src/app or src/cli changes: it starts servers of several processes.
/** Start and end of an instance with several processes. */
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { masterKey } from '../support/latchkey.ts'
import { testStores } from '../support/stores.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { isAlive, pidOf, said, startWorkers } from '../support/workers.ts'
import { latchkeyProcess } from './latchkey-command.ts'

const setups = await testStores()
t.teardown(() => Promise.all(setups.map((one) => one.drop())))
const [stores] = setups.toReversed()
if (!stores) throw new Error('there is no store to test with')

t.test('a signal lets every request finish, and all processes exit with 0', async (t) => {
  const { server } = await startWorkers(t, stores, { SHUTDOWN_DRAIN_MS: '200' })
  const pids = [1, 2].map((worker) => pidOf(server, worker))
  const asking = Array.from({ length: 20 }, () => fetch(`${server.url}/health/live`))
  t.ok((await Promise.all(asking)).every(({ status }) => status === 200))
  server.signal('SIGTERM')
  server.signal('SIGTERM')
  await eventually(() => said(server, 'closing').length === 3)
  const { status } = await fetch(`${server.url}/health/ready`, {
    headers: { connection: 'close' },
  }).catch(() => ({ status: 0 }))
  t.ok([503, 0].includes(status))
  t.same(await server.ended, { code: 0, signal: null })
  t.same(pids.filter(isAlive), [])
  await t.rejects(fetch(`${server.url}/health/live`))
})

t.test('a killed primary stops its workers', async (t) => {
  const { server } = await startWorkers(t, stores)
  const pids = [1, 2].map((worker) => pidOf(server, worker))
  server.signal('SIGKILL')
  await server.ended
  await eventually(() => !pids.some(isAlive))
  t.pass('all have stopped')
})

t.test('a startup fault is reported once, with the exit code of a single process', async (t) => {
  const environment = {
    DATABASE_URL: stores.databaseUrl,
    LATCHKEY_MASTER_KEY: masterKey,
    WORKERS: '2',
    LOG_LEVEL: 'silent',
  }
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const { port } = taken.address() as AddressInfo
  const busy = await latchkeyProcess(['serve'], { ...environment, PORT: String(port) }).ended
  t.equal(busy.code, 1)
  t.equal(busy.stderr.match(/is in use: set PORT/g)?.length, 1)
})

t.test('several processes share the packaged Postgres and stop it at the end', async (t) => {
  const directory = await temporaryDirectory('workers')
  t.teardown(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))
  const port = await freePort()
  const child = latchkeyProcess(['serve'], {
    WORKERS: 'auto',
    PORT: String(port),
    LATCHKEY_DATA: join(directory, 'data'),
  })
  await eventually(
    () => child.said.stdout.includes('"msg":"listening"') || child.child.exitCode !== null,
  )
  t.equal((await fetch(`http://127.0.0.1:${port}/health/ready`)).status, 200)
  child.child.kill('SIGTERM')
  t.equal((await child.ended).code, 0)
  const postmasters = readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(directory)
    } catch {
      return false
    }
  })
  t.same(postmasters, [])
})
