// Nightly, and when bench/ changes: it starts the servers of others.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { describedServers, givenServers, noServerGiven } from '../../bench/given-servers.ts'
import type { Measured } from '../../bench/measure.ts'
import { familyBytes, familyMicros, familyOf } from '../../bench/process-usage.ts'
import type { Operation } from '../../bench/protocol.ts'
import { fill, readDescription } from '../../bench/server-description.ts'
import { aboutTable, costsOf, serversTable } from '../../bench/servers-table.ts'

t.test('only servers whose variable is set are measured', (t) => {
  const namesFor = (env: NodeJS.ProcessEnv) => givenServers(env).map(({ script }) => script)
  t.same(namesFor({}), [])
  t.same(namesFor({ HYDRA: '' }), [])
  t.same(namesFor({ HYDRA: '/bin/hydra' }), ['hydra', 'hydra', 'hydra'])
  t.same(namesFor({ KEYCLOAK_HOME: '/keycloak' }), ['keycloak'])
  for (const variable of ['HYDRA', 'KEYCLOAK_HOME']) t.match(noServerGiven, variable)
  t.end()
})

const measured = (
  contender: Measured['contender'],
  operation: Operation,
  round: number,
  [cpuMicros, postgresMicros]: [number, number],
): Measured => ({
  contender,
  operation,
  round,
  cpuMicros,
  postgresMicros,
  redisMicros: 10,
  rss: (100 + round) * 1024 ** 2,
  requests: 500,
  seconds: 5,
  p50: 1,
  p99: 2,
  failed: 0,
  firstFailure: null,
})

t.test('the table has medians, and compares the best of the others with ours', (t) => {
  const refreshes = [
    ...[200, 100, 300].map((cpu, at) => measured('ours', 'refresh', at + 1, [cpu, 50])),
    ...[900, 800, 700].map((cpu, at) => measured('Keycloak', 'refresh', at + 1, [cpu, 100])),
    measured('Hydra as shipped', 'refresh', 1, [1000, 300]),
  ]
  const costs = costsOf([...refreshes, measured('ours', 'authorize', 1, [400, 20])])
  t.match(costs[0], { contender: 'ours', server: 200, withStores: 260, requestsPerSecond: 100 })
  const table = serversTable(costs, [{ contender: 'Keycloak', refreshes: 1000, bytes: 1_500_000 }])
  t.same(table.split('\n'), [
    '| CPU µs per request (with stores) | ours | Keycloak | Hydra as shipped | best of the others / ours |',
    '|---|---|---|---|---|',
    '| refresh | 200 (260) | 800 (910) | 1000 (1310) | 4.0 |',
    '| authorize | 400 (430) | – | – | – |',
    '| memory under load, MB | 103 | 103 | 101 |  |',
    '| Postgres bytes kept per refresh | – | 1500 | – |  |',
  ])
  t.end()
})

t.test('usage of a process includes that of its children', async (t) => {
  const script = `
    const { spawn } = require('node:child_process')
    const busy = 'const end = Date.now() + 60000; while (Date.now() < end);'
    const child = spawn(process.execPath, ['-e', busy], { stdio: 'ignore' })
    process.once('SIGTERM', () => child.kill('SIGKILL'))
    child.once('exit', () => process.exit())
    console.log('started')`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill('SIGTERM'))
  await new Promise((resolve) => child.stdout.once('data', resolve))
  const pid = child.pid as number
  const before = familyMicros(pid)
  while (familyMicros(pid) < before + 200_000) await sleep(20)
  t.equal(familyOf(pid).length, 2)
  t.ok(familyBytes(pid) > 2 * 20 * 1024 ** 2, 'of two processes of Node')
})

t.test('a file describes a server with an item for each app', async (t) => {
  const counts = { app: 2, user: 1 }
  const list = [{ each: 'app', item: { id: 'app-{app}', port: '{port}', other: '{unknown}' } }]
  t.same(fill(list, { port: 80 }, counts), [
    { id: 'app-0', port: 80, other: '{unknown}' },
    { id: 'app-1', port: 80, other: '{unknown}' },
  ])
  for (const name of ['dex', 'hydra', 'rauthy']) {
    const file = `bench/servers/${name}.json`
    const { program } = await readDescription(file)
    const [server] = await describedServers([file], { [program]: '/bin/server' })
    t.match(server, { script: 'described', database: 'described_0' })
    await t.rejects(describedServers([file], {}), new RegExp(`set ${program}`))
  }
})

t.test('a description without its parts is refused', async (t) => {
  const file = join(
    t.testdir({ 'server.json': '{ "name": "Server", "program": "SERVER" }' }),
    'server.json',
  )
  await t.rejects(readDescription(file), /lacks about, apps, users, start, requests/)
})

t.test('the table of servers has what each runs on', (t) => {
  const about = { version: '1.2', runtime: 'Go', store: 'Postgres', algorithm: 'ES256' }
  t.match(aboutTable({ one: about, other: null }), '| one | 1.2 | Go | Postgres | ES256 |')
  t.match(aboutTable({ one: about, other: null }), '| other | – | – | – | – |')
  t.end()
})
