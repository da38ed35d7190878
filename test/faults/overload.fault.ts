/** F-19, F-20: more requests than a server can answer, clients that send slowly, and no file descriptors left. */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { eventually } from '../support/eventually.ts'
import { clientCredentials } from '../support/flows.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { signIn } from '../support/signed-in.ts'
import { testStores } from '../support/stores.ts'
import { createVisitor } from '../support/visitor.ts'
import { createWorld, type World } from '../support/world.ts'

const [stores, ...others] = await testStores()
if (!stores) throw new Error('there is no store to test with')
t.teardown(() => Promise.all([stores, ...others].map((one) => one.drop())))

const seconds = Number(process.env.LATCHKEY_FAULT_SECONDS ?? 5)
const mostUnderWay = 20
/** Generous: this machine has the clients to carry, too. */
const longestAnswer = 5000
const megabytes = 300

const start = (t: Test, more: { environment?: Record<string, string>; launcher?: string[] } = {}) =>
  startServerProcess(t, { stores, ...more })

/** Megabytes of memory in use; 0 where nobody says. */
const memoryOf = ({ child }: ServerProcess) => {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
  } catch {
    return 0
  }
}

interface Seen {
  ok: number
  away: number
  odd: string[]
  times: number[]
}

/** So many clients, each with its next request as soon as the last one is answered. */
const storm = async (clients: number, duration: number, send: () => Promise<Response>) => {
  const seen: Seen = { ok: 0, away: 0, odd: [], times: [] }
  const end = performance.now() + duration
  const client = async () => {
    while (performance.now() < end) {
      const began = performance.now()
      const response = await send()
      await response.arrayBuffer()
      if (response.status === 200) {
        seen.ok++
        seen.times.push(performance.now() - began)
      } else if (response.status === 503 && response.headers.has('retry-after')) seen.away++
      else seen.odd.push(String(response.status))
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  seen.times.sort((one, other) => one - other)
  return seen
}

const tokenRequest =
  (server: ServerProcess, { confidential, acme }: World) =>
  () =>
    fetch(`${server.url}/api/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        organization_id: acme,
        client_id: confidential.client_id,
        client_secret: confidential.client_secret,
      }),
    })

t.test(
  'F-19 four times as many requests as fit: some are refused, the others answered',
  async (t) => {
    const environment = { MAX_REQUESTS_UNDER_WAY: String(mostUnderWay) }
    const server = await start(t, { environment })
    const world = await createWorld(server)
    const send = tokenRequest(server, world)
    const usual = await storm(mostUnderWay / 2, 2000, send)
    t.same([usual.odd, usual.away], [[], 0], `${usual.ok} as usual`)
    const before = memoryOf(server)

    const guessing = { email: world.ana.email, password: 'a wrong one' }
    const signIns = Promise.all(
      Array.from({ length: 8 }, () =>
        signIn(createVisitor(server.url), guessing).catch(() => null),
      ),
    )
    const storming = storm(mostUnderWay * 4, seconds * 1000, send)
    await sleep(1000)
    t.equal((await fetch(`${server.url}/health/live`)).status, 200, 'health is always answered')
    t.equal((await fetch(`${server.url}/health/ready`)).status, 200)
    const { ok, away, odd, times } = await storming
    await signIns
    const late = times[Math.floor(times.length * 0.99)] ?? 0
    t.same(odd, [], `${ok} answered, ${away} refused`)
    t.ok(away > 0, 'some are refused')
    t.ok(ok / seconds > (usual.ok / 2) * 0.1, 'the others are answered')
    t.ok(late < longestAnswer, `99 % of them within ${Math.round(late)} ms`)
    t.ok(memoryOf(server) < before + megabytes, 'within bounds')

    await eventually(async () => (await send()).status === 200)
    const after = await storm(mostUnderWay / 2, 1000, send)
    t.same([after.odd, after.away], [[], 0], 'as usual again')
  },
)

/** A client that says a little now and then, and never all. */
const slowSocket = (port: number, first: string) => {
  const socket: Socket = connect({ host: '127.0.0.1', port })
  socket.on('error', () => undefined)
  socket.on('data', () => undefined)
  socket.write(first)
  const timer = setInterval(() => socket.writable && socket.write('a'), 1000)
  socket.once('close', () => clearInterval(timer))
  return socket
}

t.test('F-20 clients that send slowly are cut off, and disturb nobody', async (t) => {
  const server = await start(t)
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
  t.ok(
    performance.now() - began < 45_000,
    'long before anybody would have looked without being told to',
  )
})

t.test('F-20 a server without free file descriptors lives on', async (t) => {
  const launcher = ['sh', '-c', 'ulimit -n 256; exec "$@"', 'sh']
  const server = await start(t, { launcher })
  const world = await createWorld(server)
  const port = Number(new URL(server.url).port)
  const crowd = Array.from({ length: 500 }, () => slowSocket(port, 'GET / HTTP/1.1\r\n'))
  await sleep(2000)
  t.equal(server.child.exitCode, null, 'it runs')
  for (const socket of crowd) socket.destroy()
  const works = () =>
    clientCredentials(server.url, world.confidential, world.acme).then(
      ({ status }) => status === 200,
      () => false,
    )
  await eventually(works)
  t.equal(server.child.exitCode, null, 'and serves again')
})
