/** F-21, F-22: servers are told to end, one after the other, while apps refresh their tokens. */
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startBalancer } from '../support/balancer.ts'
import { keepRotating, newChains, replayAll } from '../support/chains.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { readFeed, registerResourceServer } from '../support/resource-server.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { signedIn } from '../support/signed-in.ts'
import { testStores } from '../support/stores.ts'
import { createWorld } from '../support/world.ts'

const rounds = Number(process.env.LATCHKEY_FAULT_ROUNDS ?? 2)
const families = 8
const pause = 20
const patience = 10_000

const backends = await testStores()
for (const stores of backends) {
  t.teardown(() => stores.drop())

  t.test(`F-21 SIGTERM under load (${stores.name})`, async (t) => {
    const port = await freePort()
    let server = await startServerProcess(t, { stores, port })
    const { confidential: app, ana } = await createWorld(server)
    const resourceServer = await registerResourceServer(server)
    const chains = await newChains(server, app, ana, families)
    for (let round = 1; round <= rounds; round++) {
      const rotating = keepRotating(chains, app, () => server.url, pause)
      await eventually(() => rotating.tally.ok > families * 2)
      const { cursor } = await readFeed(server.url, resourceServer)
      const waiting = readFeed(server.url, resourceServer, cursor, 25)
      const began = performance.now()
      server.signal('SIGTERM')
      server.signal('SIGTERM')
      await sleep(300) // the time that it takes a balancer to notice
      const { odd, lost, refused, away, invalidGrant, twice, ok } = await rotating.stop()
      t.same(
        [odd, lost, refused, away, invalidGrant, twice],
        [[], 0, 0, 0, 0, 0],
        `${ok} went well`,
      )
      const { code, signal } = await server.ended
      t.same([code, signal], [0, null], `round ${round}`)
      t.ok(performance.now() - began < patience, 'in time')
      t.same((await waiting).changes, [], 'who waited for news is answered')
      server = await startServerProcess(t, { stores, port })
    }
    await replayAll(t, server.url, app, chains)
  })
}

for (const stores of backends.slice(-1)) {
  t.test(`F-22 two servers behind a balancer are restarted (${stores.name})`, async (t) => {
    const balancer = await startBalancer()
    t.teardown(balancer.close)
    const environment = { ISSUER: balancer.url }
    const start = () => startServerProcess(t, { stores, environment })
    const servers: [ServerProcess, ServerProcess] = [await start(), await start()]
    const lead = () => balancer.lead(servers.map(({ url }) => url))
    lead()
    const reached = () =>
      fetch(`${balancer.url}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      )
    await eventually(reached)
    const world = await createWorld(servers[0])
    const { confidential: app, ana } = world
    const visitor = await signedIn(balancer.url, ana)
    const chains = await newChains({ issuer: balancer.url }, app, ana, families)
    const rotating = keepRotating(chains, app, () => balancer.url, pause)
    for (let round = 1; round <= rounds; round++) {
      for (const at of [0, 1] as const) {
        const before = rotating.tally.ok
        await eventually(() => rotating.tally.ok > before + families)
        const old = servers[at]
        old.signal('SIGTERM')
        t.match(await old.ended, { code: 0 }, `round ${round}`)
        servers[at] = await start()
        lead()
      }
    }
    const { odd, lost, refused, away, invalidGrant, twice, ok } = await rotating.stop()
    t.same([odd, lost, refused, away, invalidGrant, twice], [[], 0, 0, 0, 0, 0], `${ok} went well`)
    const page = await visitor.get('/account/apps')
    t.match([page.status, page.url.pathname], [200, '/account/apps'], 'still signed in')
    await replayAll(t, balancer.url, app, chains)
  })
}
