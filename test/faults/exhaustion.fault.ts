/**
 * F-20: clients that send slowly, exhausted file descriptors, and exhausted Postgres connections.
 */
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t, { type Test } from 'tap'
import { keepRotating, newChains, replayAll } from '../support/chains.ts'
import { eventually } from '../support/eventually.ts'
import { clientCredentials } from '../support/flows.ts'
import { storesNamed } from '../support/open-stores.ts'
import { noPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { startServerProcess } from '../support/server-process.ts'
import { testStores } from '../support/stores.ts'
import { createWorld } from '../support/world.ts'

const [stores, ...others] = await testStores()
if (!stores) throw new Error('there is no store to test with')
t.teardown(() => Promise.all([stores, ...others].map((one) => one.drop())))

const start = (t: Test, more: { environment?: Record<string, string>; launcher?: string[] } = {}) =>
  startServerProcess(t, { stores, ...more })

/** Open file descriptors of a process; no limit where the system does not report them. */
const openFiles = (pid: number | undefined) => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** A client that sends a few bytes now and then, and never finishes. */
const slowSocket = (port: number, first: string) => {
  const socket: Socket = connect({ host: '127.0.0.1', port })
  socket.on('error', () => undefined)
  socket.on('data', () => undefined)
  socket.write(first)
  const timer = setInterval(() => socket.writable && socket.write('a'), 1000)
  socket.once('close', () => clearInterval(timer))
  return socket
}

t.test('F-20 clients that send slowly are disconnected and do not disturb others', async (t) => {
  const environment = { MAX_REQUESTS_UNDER_WAY: '50' } // Fewer slots than slow clients.
  const server = await start(t, { environment })
  const world = await createWorld(server)
  const port = Number(new URL(server.url).port)
  const head = 'POST /api/oauth/token HTTP/1.1\r\nHost: x\r\n'
  const body = `${head}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 999\r\n\r\na`
  const slow = Array.from({ length: 200 }, (_, at) =>
    slowSocket(port, at % 2 === 0 ? `${head}X-Slow: ` : body),
  )
  const began = performance.now()
  let normal = 0
  while (!slow.every(({ closed }) => closed)) {
    const { status } = await clientCredentials(server.url, world.confidential, world.acme)
    if (status === 200) normal++
    else t.fail(`a normal request got ${status}`)
    await sleep(100)
  }
  t.ok(normal > 0, `${normal} normal requests were answered meanwhile`)
  t.ok(performance.now() - began < 45_000, 'long before a default timeout')
})

t.test('F-20 a server without free file descriptors survives', async (t) => {
  const most = 256
  const launcher = ['sh', '-c', `ulimit -n ${most}; exec "$@"`, 'sh']
  const server = await start(t, { launcher })
  const world = await createWorld(server)
  const port = Number(new URL(server.url).port)
  const crowd = Array.from({ length: 500 }, () => slowSocket(port, 'GET / HTTP/1.1\r\n'))
  await eventually(() => openFiles(server.child.pid) >= most - 1)
  t.equal(server.child.exitCode, null, 'it runs')
  for (const socket of crowd) socket.destroy()
  const works = () =>
    clientCredentials(server.url, world.confidential, world.acme).then(
      ({ status }) => status === 200,
      () => false,
    )
  await eventually(works)
  t.equal(server.child.exitCode, null, 'it serves again')
})

t.test(
  'F-20 a server survives a Postgres without free connections',
  noPostgres || {},
  async (t) => {
    const [others, postgres] = await Promise.all([storesNamed('servers'), startOwnPostgres(t)])
    t.teardown(() => others?.drop())
    const own = { databaseUrl: postgres.url, redisUrl: others?.redisUrl ?? null }
    const server = await startServerProcess(t, {
      stores: own,
      environment: { DATABASE_POOL_SIZE: '8', STORE_TIMEOUT_MS: '1000' },
    })
    const { confidential: app, ana } = await createWorld(server)
    const chains = await newChains(server, app, ana, 8)
    const rotating = keepRotating(chains, app, () => server.url, 10)
    await eventually(() => rotating.tally.ok > 8)
    const admin = new pg.Client(postgres.url)
    await admin.connect()
    const crowd: pg.Client[] = [admin]
    const takeAll = async () => {
      for (;;) {
        const client = new pg.Client(postgres.url)
        client.on('error', () => undefined)
        try {
          await client.connect()
          crowd.push(client)
        } catch {
          return
        }
      }
    }
    const { rows } = await admin.query<{ most: number }>(
      `select current_setting('max_connections')::int as most`,
    )
    // The server reconnects at once; against many competitors it finally loses each of its
    // connections.
    await eventually(async () => {
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'latchkey'`,
      )
      await Promise.all(Array.from({ length: 16 }, takeAll))
      return crowd.length === rows[0]?.most
    })
    await eventually(async () => (await fetch(`${server.url}/health/ready`)).status === 503)
    const { away } = rotating.tally
    await eventually(() => rotating.tally.away > away + 8)
    t.equal(server.child.exitCode, null, 'it runs')
    const { ok } = rotating.tally
    await Promise.all(crowd.map((client) => client.end()))
    await eventually(() => rotating.tally.ok > ok + 16)
    const { odd, lost, invalidGrant, twice } = await rotating.stop()
    t.same(
      [odd, lost, invalidGrant, twice],
      [[], 0, 0, 0],
      'no token was consumed without a response',
    )
    await replayAll(t, server.url, app, chains)
  },
)
