// Nightly: it ends servers in twenty rounds.
/** F-21, F-22: servers are stopped one after the other, while apps refresh their tokens. */
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { keepRotating, newChains, replayAll } from '../support/chains.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { freePorts, noHaproxy, startHaproxy } from '../support/haproxy.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { readFeed, registerResourceServer } from '../support/resource-server.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { filled, signedIn } from '../support/signed-in.ts'
import { testStores } from '../support/stores.ts'
import { createVisitor } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

const rounds = Number(process.env.LATCHKEY_FAULT_ROUNDS ?? 20)
const restarts = Number(process.env.LATCHKEY_FAULT_ROUNDS ?? 2)
const families = 8
const pause = 20
const timeLimit = 10_000

/**
 * Sends the sign-in form, whose response takes a while because password hashes are slow. @returns
 * once it is sent
 */
const enter = async (url: string, person: { email: string; password: string }) => {
  const visitor = createVisitor(url)
  const page = await visitor.get('/login')
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const form = `${filled(page, { email: person.email, password: person.password })}`
  const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
  const sending = request(`${url}/login`, { method: 'POST', headers, agent: false })
  const status = new Promise<number | undefined>((resolve, reject) => {
    sending.once('error', reject)
    sending.once('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
  })
  sending.end(form)
  await once(sending, 'finish')
  return { status }
}

const backends = await testStores()
for (const [index, stores] of backends.entries()) {
  t.teardown(() => stores.drop())
  // The stores make no difference to the end of a process: one kind is enough for all rounds.
  const most = index === backends.length - 1 ? rounds : Math.min(rounds, 3)

  t.test(`F-21 SIGTERM under load loses no request, ${most} rounds (${stores.name})`, async (t) => {
    const port = await freePort()
    const start = () =>
      startServerProcess(t, { stores, port, environment: { SHUTDOWN_DRAIN_MS: '300' } })
    let server = await start()
    const { url } = server
    const { confidential: app, ana } = await createWorld(server)
    const resourceServer = await registerResourceServer(server)
    const [lasting, fresh] = [
      await newChains(server, app, ana, families),
      await newChains(server, app, ana, families),
    ]
    // Clients send all the time, some on kept-alive connections, some on new ones.
    const kept = keepRotating(lasting, app, () => url, pause)
    const close = { connection: 'close' }
    const each = keepRotating(fresh, app, () => url, pause, families, close)
    for (let round = 1; round <= most; round++) {
      const before = [kept.tally.ok, each.tally.ok] as const
      await eventually(() => kept.tally.ok > before[0] + families * 2)
      await eventually(() => each.tally.ok > before[1] + families * 2)
      const { cursor } = await readFeed(url, resourceServer)
      const waiting = readFeed(url, resourceServer, cursor, 25)
      const entering = await enter(url, ana)
      const began = performance.now()
      server.signal('SIGTERM')
      server.signal('SIGTERM')
      const { code, signal } = await server.ended
      t.same([code, signal], [0, null], `round ${round}`)
      t.ok(performance.now() - began < timeLimit, 'in time')
      t.same((await waiting).changes, [], 'a feed reader gets its response')
      t.equal(await entering.status, 303, 'a sign-in under way succeeds')
      server = await start()
    }
    for (const { tally, stop } of [kept, each]) {
      await stop()
      const { odd, away, invalidGrant, twice, ok, lost, refused } = tally
      // Between the last accept and the close, the kernel may accept a connection that no process
      // reads. Nothing is consumed then: the next request with the same token does not get
      // invalid_grant.
      const what = `${ok} went well, ${refused} found nobody, ${lost} were not heard`
      t.same([odd, away, invalidGrant, twice], [[], 0, 0, 0], what)
    }
    await replayAll(t, url, app, [...lasting, ...fresh])
  })
}

const question = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'

t.test('F-21 a connection that was just accepted is served', async (t) => {
  const [stores, ...others] = await testStores()
  if (!stores) throw new Error('there is no store to test with')
  t.teardown(() => Promise.all([stores, ...others].map((one) => one.drop())))
  const running = await startLatchkey(stores)
  const [app] = running.instances
  const port = Number(new URL(running.issuer).port)
  const enter = async () => {
    const socket: Socket = connect({ host: '127.0.0.1', port })
    socket.on('error', () => undefined)
    const answer = { text: '' }
    socket.on('data', (chunk) => {
      answer.text += chunk
    })
    await once(socket, 'connect')
    return { socket, answer, closed: once(socket, 'close') }
  }
  const [early, late, half, silent] = [await enter(), await enter(), await enter(), await enter()]
  half.socket.write(question.slice(0, 20))
  await sleep(20)
  early.socket.write(question)
  const closing = app?.close()
  late.socket.write(question)
  half.socket.write(question.slice(20))
  for (const { answer, closed } of [early, late, half]) {
    await closed
    t.match(answer.text, /^HTTP\/1.1 200 OK/)
    t.match(answer.text, /^connection: close/im)
  }
  await silent.closed
  t.equal(silent.answer.text, '', 'a silent connection does not delay the exit')
  await closing
})

const large = 'GET /api/admin/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'

for (const stores of backends) {
  t.test(`F-21 clients that do not read do not delay the exit (${stores.name})`, async (t) => {
    const server = await startServerProcess(t, {
      stores,
      environment: { SHUTDOWN_DRAIN_MS: '300' },
    })
    const port = Number(new URL(server.url).port)
    const sockets = Array.from({ length: 12 }, () => {
      const socket = connect({ host: '127.0.0.1', port })
      socket.on('error', () => undefined)
      socket.pause()
      socket.write(large.repeat(70))
      t.teardown(() => socket.destroy())
      return socket
    })
    const isServed = async () => (await fetch(`${server.url}/health/live`)).ok
    await eventually(
      async () => sockets.every(({ bytesWritten }) => bytesWritten > 0) && isServed(),
    )
    await sleep(500)
    server.signal('SIGTERM')
    // After ten seconds it would exit with 1.
    t.match(await server.ended, { code: 0, signal: null })
  })
}

for (const stores of backends) {
  t.test(
    `F-22 a rolling restart of two servers behind HAProxy loses no request (${stores.name})`,
    noHaproxy,
    async (t) => {
      const [port, ...ports] = (await freePorts(3)) as [number, number, number]
      const url = `http://127.0.0.1:${port}`
      const start = (at: 0 | 1) =>
        startServerProcess(t, { stores, port: ports[at], environment: { ISSUER: url } })
      const servers: [ServerProcess, ServerProcess] = [await start(0), await start(1)]
      const haproxy = await startHaproxy(t, port, ports)
      const { confidential: app, ana } = await createWorld(servers[0])
      const visitor = await signedIn(url, ana)
      const chains = await newChains({ issuer: url }, app, ana, families)
      const rotating = keepRotating(chains, app, () => url, pause)
      let pages = 0
      let restarting = true
      const visiting = (async () => {
        for (; restarting; pages++) {
          const page = await visitor.get('/account/apps')
          t.same([page.status, page.url.pathname], [200, '/account/apps'], 'still signed in')
          await sleep(100)
        }
      })()
      for (let round = 1; round <= restarts; round++) {
        for (const at of [0, 1] as const) {
          const before = rotating.tally.ok
          await eventually(() => rotating.tally.ok > before + families)
          servers[at].signal('SIGTERM')
          t.match(await servers[at].ended, { code: 0 }, `round ${round}`)
          servers[at] = await start(at)
          await eventually(() => haproxy.sendsTo(ports[at]))
        }
      }
      restarting = false
      await visiting
      const { odd, lost, refused, away, invalidGrant, twice, ok } = await rotating.stop()
      t.same(
        [odd, lost, refused, away, invalidGrant, twice],
        [[], 0, 0, 0, 0, 0],
        `${ok} went well`,
      )
      t.ok(pages > 0, `${pages} pages`)
      await replayAll(t, url, app, chains)
    },
  )
}
