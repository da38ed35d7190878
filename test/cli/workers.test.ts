/** One instance as several processes: a primary, and workers that share its port. */
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { eventually } from '../support/eventually.ts'
import { everyFlow } from '../support/every-flow.ts'
import { clientCredentials } from '../support/flows.ts'
import { freePort } from '../support/free-port.ts'
import { masterKey } from '../support/latchkey.ts'
import {
  type ServerProcess,
  type ServerSettings,
  startServerProcess,
} from '../support/server-process.ts'
import { testStores } from '../support/stores.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { createWorld } from '../support/world.ts'
import { latchkeyProcess } from './latchkey-command.ts'

const setups = await testStores()
t.teardown(() => Promise.all(setups.map((one) => one.drop())))
const [stores] = setups.toReversed()
if (!stores) throw new Error('there is no store to test with')

interface Line {
  msg: string
  worker?: number
  pid?: number
}

const linesOf = (server: ServerProcess): Line[] =>
  server
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line))

const said = (server: ServerProcess, message: string) =>
  linesOf(server).filter(({ msg }) => msg === message)

/** The process that now has this worker's place. */
const pidOf = (server: ServerProcess, worker: number) =>
  said(server, 'worker listens')
    .filter((line) => line.worker === worker)
    .at(-1)?.pid ?? 0

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

const start = async (t: Test, more: Record<string, string> = {}) => {
  const metricsPort = await freePort()
  const settings: ServerSettings = {
    stores,
    environment: {
      WORKERS: '2',
      METRICS_PORT: String(metricsPort),
      METRICS_TOKEN: 'metrics-token',
      ...more,
    },
  }
  const server = await startServerProcess(t, settings)
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return { server, metrics }
}

const numberIn = (exposition: string, series: string) =>
  exposition
    .split('\n')
    .filter((line) => line.startsWith(series) && /[ {]/.test(line[series.length] ?? ''))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)

t.test('serves every flow, and tells the metrics of all as one', async (t) => {
  const { server, metrics } = await start(t)
  t.match(said(server, 'listening'), [{ workers: 2 }])
  t.same(new Set(said(server, 'worker listens').map(({ worker }) => worker)), new Set([1, 2]))
  const { world } = await everyFlow(t, { ...server, urls: [server.url] })
  const counted = async () => numberIn(await metrics(), 'latchkey_token_requests_total')
  const before = await counted()
  const asked = Array.from({ length: 60 }, () =>
    clientCredentials(server.url, world.confidential, world.acme),
  )
  t.ok((await Promise.all(asked)).every(({ status }) => status === 200))
  t.equal((await counted()) - before, asked.length, 'counters are added up')

  const exposition = await metrics()
  t.equal(numberIn(exposition, 'latchkey_workers'), 2)
  t.equal(numberIn(exposition, 'latchkey_worker_replacements_total'), 0)
  t.equal(numberIn(exposition, 'latchkey_database_connections_max'), 20, 'what each has of its own')
  t.equal(numberIn(exposition, 'latchkey_master_keys'), 1, 'what all of them see')
  const publicly = await fetch(`${server.url}/metrics`, {
    headers: { authorization: 'Bearer metrics-token' },
  })
  t.match(await publicly.text(), /^latchkey_workers 2$/m, 'whichever worker is asked')
})

t.test('migrates once, and one worker does the chores', async (t) => {
  const [empty, ...rest] = await testStores()
  if (!empty) throw new Error('there is no store to test with')
  t.teardown(() => Promise.all([empty, ...rest].map((one) => one.drop())))
  const server = await startServerProcess(t, {
    stores: empty,
    environment: { WORKERS: '2', LOG_LEVEL: 'debug' },
  })
  t.match(said(server, 'migrations applied'), [{ worker: undefined }])
  t.same(
    said(server, 'does the chores').map(({ worker }) => worker),
    [1],
  )
  process.kill(pidOf(server, 1), 'SIGKILL')
  await eventually(() => said(server, 'does the chores').length === 2)
  t.same(said(server, 'does the chores').at(-1)?.worker, 1, 'as does whoever takes its place')
})

t.test('a worker that dies is replaced, and service goes on', async (t) => {
  const { server, metrics } = await start(t)
  const world = await createWorld(server)
  for (const worker of [1, 2]) {
    const pid = pidOf(server, worker)
    process.kill(pid, 'SIGKILL')
    await eventually(() => pidOf(server, worker) !== pid)
    const { status } = await clientCredentials(server.url, world.confidential, world.acme)
    t.equal(status, 200)
  }
  const exposition = await metrics()
  t.equal(numberIn(exposition, 'latchkey_workers'), 2)
  t.equal(numberIn(exposition, 'latchkey_worker_replacements_total'), 2)
  t.equal(said(server, 'worker died').length, 2)
})

t.test('a signal lets every request end, and ends all processes with 0', async (t) => {
  const { server } = await start(t, { SHUTDOWN_DRAIN_MS: '200' })
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

t.test('a primary that is killed takes its workers along', async (t) => {
  const { server } = await start(t)
  const pids = [1, 2].map((worker) => pidOf(server, worker))
  server.signal('SIGKILL')
  await server.ended
  await eventually(() => !pids.some(isAlive))
  t.pass('all have ended')
})

t.test('what is wrong is said once, with the exit code of one process', async (t) => {
  const environment = {
    DATABASE_URL: stores.databaseUrl,
    LATCHKEY_MASTER_KEY: masterKey,
    WORKERS: '4',
    LOG_LEVEL: 'silent',
  }
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const { port } = taken.address() as AddressInfo
  const busy = await latchkeyProcess(['serve'], { ...environment, PORT: String(port) }).ended
  t.equal(busy.code, 1)
  t.equal(busy.stderr.match(/is in use: set PORT/g)?.length, 1)

  for (const workers of ['0', '65', 'many', '1.5', '-1']) {
    const wrong = await latchkeyProcess(['serve'], { ...environment, WORKERS: workers }).ended
    t.equal(wrong.code, 2, workers)
    t.equal(wrong.stderr.match(/WORKERS must be auto or a number/g)?.length, 1)
  }
})

t.test('shares the packaged Postgres, and stops it at the end', async (t) => {
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

t.ok(existsSync('/proc'), 'the tests look at processes')
