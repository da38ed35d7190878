import { once } from 'node:events'
import { connect } from 'node:net'
import pg from 'pg'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { Agent, request } from 'undici'
import {
  type AdmissionLimits,
  createAdmission,
  createDelayDetector,
} from '../../../src/http/server/admission.ts'
import { createServer } from '../../../src/http/server/server.ts'
import { eventually } from '../../support/eventually.ts'
import { post } from '../../support/flows.ts'
import { startLatchkey } from '../../support/latchkey.ts'
import { testStores } from '../../support/stores.ts'

const patient = { longestDelay: 60_000, stuckAfter: 60_000 }

/** A server whose /held requests wait until they are released. */
const start = async (t: Test, limits: AdmissionLimits) => {
  let refused = 0
  const warnings: { refused: number; network: string; ofNetwork: number }[] = []
  const admission = createAdmission(limits, () => refused++)
  const server = await createServer({
    admission,
    logger: pino(
      { level: 'warn' },
      { write: (line: string) => void warnings.push(JSON.parse(line)) },
    ),
    trustedProxies: [],
    issuer: 'http://127.0.0.1',
  })
  const held: (() => void)[] = []
  const begun: string[] = []
  server.addHook('onRequest', async ({ url }) => void begun.push(url))
  const wait = () => new Promise<string>((resolve) => held.push(() => resolve('done')))
  server.get('/held', wait)
  server.get('/waiting', (request) => {
    request.releaseSlot?.()
    return wait()
  })
  for (const path of ['/quick', '/health/live', '/health/ready', '/metrics'])
    server.get(path, async () => 'done')
  server.get('/large', async () => 'x'.repeat(16 << 20))
  server.post('/sent', async () => 'done')
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  const answers: Promise<Response>[] = []
  t.teardown(async () => {
    for (const go of held) go()
    await Promise.all(answers)
    await server.close()
  })
  const enter = () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    t.teardown(() => socket.destroy())
    return socket
  }
  return {
    url,
    held,
    admission,
    enter,
    refused: () => refused,
    warnings,
    begun: (path: string) => begun.filter((one) => one === path).length,
    status: async (path: string) => (await fetch(url + path)).status,
    /** This many requests with pending responses. */
    hold: async (count: number, path = '/held') => {
      const before = held.length
      const these = Array.from({ length: count }, () => fetch(url + path))
      answers.push(...these)
      await eventually(() => held.length === before + count)
      return these
    },
    release: () => {
      for (const go of held.splice(0)) go()
    },
  }
}

t.test('serves requests up to the limit and refuses the next', async (t) => {
  const server = await start(t, { mostUnderWay: 3, ...patient })
  const answers = await server.hold(3)
  for (const path of ['/quick', '/held', '/nowhere']) {
    const answer = await fetch(server.url + path)
    t.equal(answer.status, 503, path)
    t.equal(answer.headers.get('retry-after'), '1')
    t.equal(answer.headers.get('cache-control'), 'no-store')
    t.match(await answer.json(), { error: 'temporarily_unavailable' })
  }
  t.equal(server.refused(), 3, 'each gets an answer')
  t.equal(server.held.length, 3, 'none of them was started')
  server.release()
  for (const answer of await Promise.all(answers)) t.equal(answer.status, 200)
  await eventually(async () => (await server.status('/quick')) === 200)
  t.pass('slots are free again')
})

t.test('refused requests have one line in the log for each second', async (t) => {
  const server = await start(t, { mostUnderWay: 1, ...patient })
  await server.hold(1)
  const refusals = Array.from({ length: 20 }, () => server.status('/quick'))
  t.ok((await Promise.all(refusals)).every((status) => status === 503))
  const counted = () => server.warnings.reduce((sum, { refused }) => sum + refused, 0)
  await eventually(() => counted() === 20)
  t.ok(server.warnings.length < 20, `${server.warnings.length} lines`)
  for (const { network, refused, ofNetwork } of server.warnings)
    t.same([network, ofNetwork], ['127.0.0.1', refused])
  const head = await fetch(`${server.url}/quick`, { method: 'HEAD' })
  t.equal(head.status, 503)
  t.equal(await head.text(), '')
  await eventually(() => counted() === 21)
  t.match(server.warnings.at(-1), { refused: 1, ofNetwork: 1 }, 'it is counted anew')
})

t.test('health checks and metrics are always served', async (t) => {
  const server = await start(t, { mostUnderWay: 1, ...patient })
  await server.hold(1)
  for (const path of ['/health/live', '/health/ready', '/metrics'])
    t.equal(await server.status(path), 200, path)
  t.equal(await server.status('/quick'), 503)
})

t.test('a request that is still being sent occupies no slot', async (t) => {
  const server = await start(t, { mostUnderWay: 2, ...patient })
  const head = 'POST /sent HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  const senders = Array.from({ length: 20 }, server.enter)
  for (const socket of senders) socket.write(`${head}Content-Length: 2\r\n\r\n{`)
  await eventually(() => server.begun('/sent') === senders.length)
  t.equal(await server.status('/quick'), 200)
  await server.hold(2)
  t.equal(await server.status('/quick'), 503, 'complete requests are served')
  server.release()
  for (const socket of senders) socket.write('}')
  const answers = senders.map(async (socket) => String((await once(socket, 'data'))[0]))
  for (const answer of await Promise.all(answers)) t.match(answer, /^HTTP\/1\.1 200 /)
})

t.test('a request that is marked as waiting occupies no slot', async (t) => {
  const server = await start(t, { mostUnderWay: 2, ...patient })
  await server.hold(8, '/waiting')
  t.equal(await server.status('/quick'), 200)
  await server.hold(2)
  t.equal(await server.status('/waiting'), 503, 'it is refused when all slots are occupied')
  server.release()
  await eventually(async () => (await server.status('/quick')) === 200)
  await server.hold(2)
  t.equal(await server.status('/quick'), 503, 'the number of slots has not grown')
})

t.test('the duration of a request that only waits does not lower the limit', async (t) => {
  const server = await start(t, { mostUnderWay: 200, ...patient })
  await server.hold(150, '/waiting')
  await new Promise((resolve) => setTimeout(resolve, 1100)) // what would halve the limit
  server.release()
  await eventually(async () => (await server.status('/quick')) === 200)
  await server.hold(150)
  t.equal(await server.status('/quick'), 200)
  t.equal(server.refused(), 0)
})

t.test('a closed connection frees its slot, once', async (t) => {
  const server = await start(t, { mostUnderWay: 2, ...patient })
  const leaving = new AbortController()
  const left = fetch(`${server.url}/held`, { signal: leaving.signal }).catch(() => 'left')
  await eventually(() => server.held.length === 1)
  await server.hold(1)
  t.equal(await server.status('/quick'), 503)
  leaving.abort()
  t.equal(await left, 'left')
  await eventually(async () => (await server.status('/quick')) === 200)
  server.release() // Ends the abandoned response too.
  await eventually(async () => (await server.status('/quick')) === 200)
  await server.hold(2)
  t.equal(await server.status('/quick'), 503, 'the number of slots has not grown')
})

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

t.test('pipelined requests occupy one slot, which a reset frees', async (t) => {
  const server = await start(t, { mostUnderWay: 2, ...patient })
  const socket = server.enter()
  socket.write(get('/health/ready') + get('/held').repeat(50))
  await eventually(() => server.held.length === 1)
  t.equal(server.admission.underWay(), 1)
  t.equal(await server.status('/quick'), 200)
  socket.resetAndDestroy()
  await eventually(() => server.admission.underWay() === 0)
  server.release()
  await server.hold(2)
  t.equal(server.admission.underWay(), 2, 'each slot can be occupied again')
})

t.test('a client that does not read occupies no slot', async (t) => {
  const server = await start(t, { mostUnderWay: 2, ...patient })
  const sockets = Array.from({ length: 8 }, server.enter)
  for (const socket of sockets) {
    socket.pause()
    socket.write(get('/large').repeat(5))
  }
  await eventually(() => server.begun('/large') === sockets.length)
  await eventually(async () => (await server.status('/quick')) === 200)
  t.equal(server.admission.underWay(), 0)
  t.equal(server.begun('/large'), sockets.length, 'its next requests are not served')
})

t.test('a network that occupies all its slots leaves some to others', async (t) => {
  const server = await start(t, { mostUnderWay: 4, ...patient })
  await server.hold(4)
  t.equal(await server.status('/quick'), 503)
  const dispatcher = new Agent({ localAddress: '127.0.0.2' })
  t.teardown(() => dispatcher.close())
  const { statusCode, body } = await request(`${server.url}/quick`, { dispatcher })
  await body.dump()
  t.equal(statusCode, 200)
})

t.test('a server without progress is stuck until it makes progress', async (t) => {
  const server = await start(t, { ...patient, mostUnderWay: 1, stuckAfter: 50 })
  await server.hold(1)
  t.notOk(server.admission.isStuck(), 'full, but nothing was refused')
  t.equal(await server.status('/quick'), 503)
  await eventually(() => server.admission.isStuck())
  server.release()
  await eventually(() => !server.admission.isStuck())
  t.equal(await server.status('/quick'), 200)
})

t.test('repeated delays in a row are an overload, one is not', async (t) => {
  const rows: [what: string, delays: number[], late: boolean][] = [
    ['punctual', [0, 1, 0, 2], false],
    ['a long moment', [9000], false],
    ['two', [600, 600], false],
    ['three', [501, 501, 501], true],
    ['just in time', [500, 500, 500, 500], false],
    ['not in turn', [600, 600, 0, 600, 600], false],
    ['over again', [600, 600, 600, 600, 0], false],
    ['still so', [0, 600, 600, 600], true],
  ]
  for (const [what, delays, late] of rows) {
    let now = 1000
    const lateness = createDelayDetector(500, now)
    for (const delay of delays) {
      now += 100 + delay
      lateness.check(now)
    }
    t.equal(lateness.isLate(), late, what)
  }
})

t.test('an overloaded process refuses new requests and recovers', async (t) => {
  const server = await start(t, { mostUnderWay: 1000, ...patient, longestDelay: 20 })
  let blocked = true
  const block = () => {
    const end = performance.now() + 200
    while (performance.now() < end);
    if (blocked) setTimeout(block, 1)
  }
  block()
  await eventually(async () => (await server.status('/quick')) === 503)
  t.equal(await server.status('/health/live'), 200)
  blocked = false
  await eventually(async () => (await server.status('/quick')) === 200)
  t.ok(server.refused() > 0)
})

const [stores, ...others] = await testStores()
if (!stores) throw new Error('there is no store to test with')
t.teardown(() => Promise.all([stores, ...others].map((one) => one.drop())))

t.test(
  'the server refuses requests above MAX_REQUESTS_UNDER_WAY before any other work',
  async (t) => {
    const running = await startLatchkey(stores, {
      environment: { MAX_REQUESTS_UNDER_WAY: '1', METRICS_TOKEN: 'metrics' },
    })
    t.teardown(() => running.stop())
    const { issuer } = running
    const database = new pg.Client(stores.databaseUrl)
    await database.connect()
    t.teardown(() => database.end())
    await database.query('begin; lock table app_secrets in access exclusive mode')
    const requested = {
      grant_type: 'refresh_token',
      refresh_token: 'x',
      client_id: 'app0000000000000001',
    }
    const first = post(`${issuer}/api/oauth/token`, { ...requested, client_secret: 'x' })
    const waiting = `select 1 from pg_locks where relation = 'app_secrets'::regclass and not granted`
    await eventually(async () => (await database.query(waiting)).rowCount === 1)
    const isFull = async () => (await fetch(`${issuer}/login`)).status === 503
    t.ok(await isFull())
    const refused = await post(`${issuer}/api/oauth/token`, { grant_type: 'x' })
    t.match(refused, { status: 503, body: { error: 'temporarily_unavailable' } })
    t.equal(refused.headers.get('retry-after'), '1')
    t.match(refused.headers.get('x-request-id'), /^req_/)
    t.equal(refused.headers.get('x-content-type-options'), 'nosniff')
    const ready = await fetch(`${issuer}/health/ready`)
    t.equal(ready.status, 200)
    const headers = { authorization: 'Bearer metrics' }
    const metrics = await (await fetch(`${issuer}/metrics`, { headers })).text()
    t.match(metrics, /latchkey_requests_turned_away_total [1-9]/)
    await database.query('rollback')
    t.match(await first, { status: 401 }, 'the first request is served')
    await eventually(async () => !(await isFull()))
    t.pass('the next is accepted')
  },
)
