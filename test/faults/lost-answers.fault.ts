/**
 * F-12, F-13: replies of Redis or responses to the app are lost, and clients disconnect at any byte
 * of their request.
 */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { type Chain, newChains, newTally, rotate } from '../support/chains.ts'
import { eventually } from '../support/eventually.ts'
import { credentials, refresh } from '../support/flows.ts'
import { storesNamed } from '../support/open-stores.ts'
import { noRedis } from '../support/own-redis.ts'
import { relayTo, startRelay } from '../support/relay.ts'
import {
  introspectAt,
  type ResourceServer,
  registerResourceServer,
} from '../support/resource-server.ts'
import { seededChains } from '../support/seeded-chains.ts'
import { startServerProcess } from '../support/server-process.ts'
import { type StoreSetup, testStores } from '../support/stores.ts'
import { countRows } from '../support/traces.ts'
import { createWorld, type TestApp } from '../support/world.ts'

const hangUps = Number(process.env.LATCHKEY_FAULT_REQUESTS ?? 1000)
const lostAnswers = 100
const atOnce = 20

t.test('F-12 a lost reply of Redis consumes nothing twice', noRedis || {}, async (t) => {
  const stores = await storesNamed('servers')
  if (!stores?.redisUrl) throw new Error('there is no Postgres to test with')
  const relay = await relayTo(stores.redisUrl)
  const server = await startServerProcess(t, { stores: { ...stores, redisUrl: relay.url } })
  t.teardown(async () => {
    await relay.close()
    await stores.drop()
  })
  const { confidential: app, ana } = await createWorld(server)
  const chains = await newChains(server, app, ana, 8)
  relay.stallAnswers()
  const tally = newTally()
  const requested = Promise.all(chains.map((chain) => rotate(server.url, app, chain, tally)))
  await sleep(200) // They have run by now.
  relay.cut()
  relay.mend()
  await requested
  t.same([tally.odd, tally.lost, tally.invalidGrant], [[], 0, 0], `${tally.ok} of 8 were answered`)
  for (const { tokens, unsure } of chains) {
    const [first, second] = tokens as [string, string?]
    if (second) t.equal((await refresh(server.url, app, second)).status, 200)
    const { status } = await refresh(server.url, app, first)
    t.ok(status === 400 || (unsure && status === 200), 'at most once')
  }
})

/** Several at once, all of them in the end. */
const each = async <One>(all: One[], work: (one: One, at: number) => Promise<void>) => {
  const queue = [...all.entries()]
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await work(next[1], next[0])
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

const newest = ({ tokens }: Chain) => tokens.at(-1) as string

interface Scene {
  stores: StoreSetup
  url: string
  app: TestApp
  resourceServer: ResourceServer
}

/** Introspection, which consumes nothing: a used token is inactive. */
const isLive = async ({ url, resourceServer }: Scene, token: string) =>
  (await introspectAt(url, resourceServer, token)).body.active as boolean

const replaysNoted = ({ stores }: Scene) =>
  countRows(stores, "audit_events where type = 'grant.reuse_detected'")

/** Refreshes all chains without reading the responses. */
const loseAnswers = async (scene: Scene, chains: Chain[]) => {
  const relay = await startRelay({ host: '127.0.0.1', port: Number(new URL(scene.url).port) })
  relay.stallAnswers()
  const tally = newTally()
  const requested = chains.map((chain) =>
    rotate(`http://127.0.0.1:${relay.port}`, scene.app, chain, tally),
  )
  for (const chain of chains) await eventually(async () => !(await isLive(scene, newest(chain))))
  relay.cut()
  await Promise.all(requested)
  await relay.close()
  return tally.lost
}

const started = async (t: Test, stores: StoreSetup) => {
  const server = await startServerProcess(t, { stores })
  const world = await createWorld(server)
  return { server, world, resourceServer: await registerResourceServer(server) }
}

for (const stores of await testStores()) {
  t.teardown(() => stores.drop())

  t.test(`F-12 the response to the app is lost (${stores.name})`, async (t) => {
    const { server, world, resourceServer } = await started(t, stores)
    const { confidential, second, ana } = world

    await t.test('a repeated token is a replay, and the family is revoked', async (t) => {
      const scene = { stores, url: server.url, app: confidential, resourceServer }
      const chains = await seededChains(stores, server, confidential, ana, lostAnswers)
      t.equal(await loseAnswers(scene, chains), lostAnswers, 'no response arrived')
      const again = await Promise.all(
        chains.map((chain) => refresh(server.url, confidential, newest(chain))),
      )
      for (const { status, body } of again)
        t.match({ status, body }, { status: 400, body: { error: 'invalid_grant' } })
      await eventually(async () => (await replaysNoted(scene)) >= lostAnswers)
      t.equal(await countRows(stores, `grants where ended_reason = 'reuse_detected'`), lostAnswers)
    })

    await t.test('with a retry window a repeated token gets the same successor', async (t) => {
      const path = `/apps/${second.client_id}`
      await server.operator('PATCH', path, { retry_window_seconds: 60 })
      const scene = { stores, url: server.url, app: second, resourceServer }
      const chains = await seededChains(stores, server, second, ana, lostAnswers)
      t.equal(await loseAnswers(scene, chains), lostAnswers)
      await each(chains, async (chain) => {
        const tries = await Promise.all(
          [1, 2, 3].map(() => refresh(server.url, second, newest(chain))),
        )
        const successors = new Set(tries.map(({ body }) => body.refresh_token as string))
        t.equal(successors.size, 1)
        const [successor] = successors
        t.equal((await refresh(server.url, second, successor as string)).status, 200)
      })
    })
  })
}

/** Sends this many bytes of a refresh, and disconnects. */
const hangUpAt = (port: number, request: string, bytes: number) =>
  new Promise<void>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.write(request.slice(0, bytes), () => socket.destroy())
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
  })

const requestOf = (app: TestApp, token: string) => {
  const body = `${new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: token,
    ...credentials(app),
  })}`
  const headers = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}`
  return `POST /api/oauth/token HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`
}

for (const stores of await testStores()) {
  t.test(
    `F-13 a client that disconnects causes the whole effect or none (${stores.name})`,
    async (t) => {
      t.teardown(() => stores.drop())
      const { server, world, resourceServer } = await started(t, stores)
      const { confidential: app, ana } = world
      const port = Number(new URL(server.url).port)
      const chains = await seededChains(stores, server, app, ana, hangUps)
      const tally = newTally()
      let partial = 0
      let whole = 0
      await each(chains, async (chain, at) => {
        const request = requestOf(app, newest(chain))
        // Sometimes the whole request: the response has no reader.
        const bytes = at % 10 === 0 ? request.length : Math.floor(Math.random() * request.length)
        if (bytes === request.length) whole++
        else partial++
        chain.unsure = bytes === request.length
        await hangUpAt(port, request, bytes)
        await rotate(server.url, app, chain, tally)
      })
      t.ok(partial > hangUps / 2, `${partial} of ${hangUps} were left unfinished`)
      t.equal(tally.ok + tally.invalidGrant, hangUps, 'each is still valid, or was consumed')
      t.same([tally.odd, tally.unexplained, tally.away, tally.twice], [[], 0, 0, 0])
      const scene = { stores, url: server.url, app, resourceServer }
      await eventually(async () => (await replaysNoted(scene)) >= tally.invalidGrant)
      // Of two concurrent requests the second is the replay, whichever it is.
      t.ok((await replaysNoted(scene)) <= whole, 'the trail has exactly the consumed ones')
      const lines = server.log().split('\n')
      t.same(
        lines.filter((line) => /"level":[56]0|"error":"server_error"/.test(line)),
        [],
        'the log is not flooded',
      )
    },
  )
}
