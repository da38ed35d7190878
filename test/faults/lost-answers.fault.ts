/** F-12, F-13: the answer of Redis is lost, and clients hang up anywhere in their request. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { type Chain, newChains, newTally, rotate } from '../support/chains.ts'
import { credentials, refresh } from '../support/flows.ts'
import { storesNamed } from '../support/open-stores.ts'
import { noRedis } from '../support/own-redis.ts'
import { relayTo } from '../support/relay.ts'
import { startServerProcess } from '../support/server-process.ts'
import { testStores } from '../support/stores.ts'
import { createWorld, type TestApp } from '../support/world.ts'

const hangUps = Number(process.env.LATCHKEY_FAULT_REQUESTS ?? 200)

t.test('F-12 the answer of Redis is lost: nothing is spent twice', noRedis || {}, async (t) => {
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
  const asked = Promise.all(chains.map((chain) => rotate(server.url, app, chain, tally)))
  await sleep(200) // they have run by now
  relay.cut()
  relay.mend()
  await asked
  t.same([tally.odd, tally.lost, tally.invalidGrant], [[], 0, 0], `${tally.ok} of 8 were answered`)
  for (const { tokens, unsure } of chains) {
    const [first, second] = tokens as [string, string?]
    if (second) t.equal((await refresh(server.url, app, second)).status, 200)
    const { status } = await refresh(server.url, app, first)
    t.ok(status === 400 || (unsure && status === 200), 'at most once')
  }
})

/** Sends so many bytes of a refresh, and hangs up. */
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
  t.test(`F-13 clients hang up: no effect, or all of it (${stores.name})`, async (t) => {
    t.teardown(() => stores.drop())
    const server = await startServerProcess(t, { stores })
    const { confidential: app, ana } = await createWorld(server)
    const port = Number(new URL(server.url).port)
    const chains: Chain[] = await newChains(server, app, ana, 20)
    const tally = newTally()
    let partial = 0
    for (let at = 0; at < hangUps; at++) {
      const chain = chains[at % chains.length] as Chain
      if (chain.ended) continue
      const request = requestOf(app, chain.tokens.at(-1) as string)
      // All of it now and then: the answer finds nobody.
      const bytes = at % 25 === 0 ? request.length : Math.floor(Math.random() * request.length)
      await hangUpAt(port, request, bytes)
      if (bytes === request.length) chain.unsure = true
      else partial++
      await rotate(server.url, app, chain, tally)
    }
    t.ok(partial > 0, `${partial} requests were left unfinished`)
    t.same([tally.odd, tally.unexplained, tally.away, tally.twice], [[], 0, 0, 0])
    t.notMatch(server.log(), '"error":"server_error"')
  })
}
