// Nightly, and when src/app or src/cli changes: it starts servers of several processes.
/** One instance of several processes: a primary, and workers that share its port. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { createMetrics } from '../../src/http/operations/metrics.ts'
import { mergeMetrics } from '../../src/http/operations/worker-metrics.ts'
import { eventually } from '../support/eventually.ts'
import { everyFlow } from '../support/every-flow.ts'
import { clientCredentials } from '../support/flows.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { testStores } from '../support/stores.ts'
import { numberIn, pidOf, said, startWorkers } from '../support/workers.ts'
import { createWorld } from '../support/world.ts'

const setups = await testStores()
t.teardown(() => Promise.all(setups.map((one) => one.drop())))
const [stores] = setups.toReversed()
if (!stores) throw new Error('there is no store to test with')

/** What its workers have in their environment for the memory of hashes. */
const thresholds = (server: ServerProcess) =>
  [1, 2].flatMap((worker) =>
    readFileSync(`/proc/${pidOf(server, worker)}/environ`, 'utf8')
      .split('\0')
      .filter((one) => one.startsWith('MALLOC_MMAP_THRESHOLD_=')),
  )
const isLinux = process.platform === 'linux'

t.test('several workers serve every flow, and the metrics cover all of them', async (t) => {
  const { server, metrics } = await startWorkers(t, stores)
  t.match(said(server, 'listening'), [{ workers: 2 }])
  t.same(new Set(said(server, 'worker listens').map(({ worker }) => worker)), new Set([1, 2]))
  const ours = 'MALLOC_MMAP_THRESHOLD_=1048576'
  if (isLinux) t.same(thresholds(server), [ours, ours], 'the memory of hashes is returned')
  const { world } = await everyFlow(t, { ...server, urls: [server.url] })
  const counted = async () => numberIn(await metrics(), 'latchkey_token_requests_total')
  const before = await counted()
  const requested = Array.from({ length: 60 }, () =>
    clientCredentials(server.url, world.confidential, world.acme),
  )
  t.ok((await Promise.all(requested)).every(({ status }) => status === 200))
  t.equal((await counted()) - before, requested.length, 'counters are summed')

  const exposition = await metrics()
  t.equal(numberIn(exposition, 'latchkey_workers'), 2)
  t.equal(numberIn(exposition, 'latchkey_worker_replacements_total'), 0)
  t.equal(numberIn(exposition, 'latchkey_database_connections_max'), 20, 'values of each worker')
  t.equal(numberIn(exposition, 'latchkey_master_keys'), 1, 'values that all workers see')
  const publicly = await fetch(`${server.url}/metrics`, {
    headers: { authorization: 'Bearer metrics-token' },
  })
  t.match(await publicly.text(), /^latchkey_workers 2$/m, 'the same from every worker')
})

t.test('migrations run once, and one worker runs the background jobs', async (t) => {
  const [empty, ...rest] = await testStores({ content: 'nothing' })
  if (!empty) throw new Error('there is no store to test with')
  t.teardown(() => Promise.all([empty, ...rest].map((one) => one.drop())))
  const server = await startServerProcess(t, {
    stores: empty,
    environment: { WORKERS: '2', LOG_LEVEL: 'debug', MALLOC_MMAP_THRESHOLD_: '2097152' },
  })
  t.match(said(server, 'migrations applied'), [{ worker: undefined }])
  t.same(
    said(server, 'runs background jobs').map(({ worker }) => worker),
    [1],
  )
  const theirs = 'MALLOC_MMAP_THRESHOLD_=2097152'
  if (isLinux) t.same(thresholds(server), [theirs, theirs], 'a configured threshold is kept')
  process.kill(pidOf(server, 1), 'SIGKILL')
  await eventually(() => said(server, 'runs background jobs').length === 2)
  t.same(said(server, 'runs background jobs').at(-1)?.worker, 1, 'its replacement does too')
})

t.test(
  'a dead worker is replaced without interruption, and counters keep its counts',
  async (t) => {
    const { server, metrics } = await startWorkers(t, stores)
    const world = await createWorld(server)
    const ask = () => clientCredentials(server.url, world.confidential, world.acme)
    await Promise.all(Array.from({ length: 40 }, ask))
    const series = [
      'latchkey_token_requests_total',
      'latchkey_token_request_duration_seconds_count',
    ]
    const counted = async () => {
      const exposition = await metrics()
      return series.map((one) => numberIn(exposition, one))
    }
    for (const worker of [1, 2]) {
      const pid = pidOf(server, worker)
      const before = await counted()
      t.same(before, [39 + worker, 39 + worker])
      process.kill(pid, 'SIGSTOP')
      t.same(await counted(), before, 'the worker is stuck')
      process.kill(pid, 'SIGKILL')
      await eventually(() => pidOf(server, worker) !== pid)
      t.same(await counted(), before, 'the worker is dead')
      t.same(await counted(), before, 'it is counted once')
      t.equal((await ask()).status, 200)
    }
    const exposition = await metrics()
    t.equal(
      numberIn(exposition, 'latchkey_database_connections_max'),
      20,
      'gauges of dead workers are removed',
    )
    t.equal(numberIn(exposition, 'latchkey_workers'), 2)
    t.equal(numberIn(exposition, 'latchkey_worker_replacements_total'), 2)
    t.equal(said(server, 'worker died').length, 2)
    t.same(await counted(), [42, 42])
  },
)

t.test('of several workers’ lags the largest is reported', async (t) => {
  const samples = await Promise.all(
    [0.001, 5].map(async (seconds) => {
      const found = await createMetrics().registry.getMetricsAsJSON()
      const lag = found.find(({ name }) => name === 'nodejs_eventloop_lag_p99_seconds')
      return [{ ...lag, values: [{ labels: {}, value: seconds }] }]
    }),
  )
  t.equal(numberIn(await mergeMetrics(samples), 'nodejs_eventloop_lag_p99_seconds'), 5)
})
