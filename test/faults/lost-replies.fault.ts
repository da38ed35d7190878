/** F-27: connections to the store of families break at random on a busy machine, while apps refresh their tokens. */
import { spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { keepRotating, replayAll } from '../support/chains.ts'
import { clientCredentials } from '../support/flows.ts'
import { type Relay, relayTo } from '../support/relay.ts'
import { seededChains } from '../support/seeded-chains.ts'
import { startServerProcess, unlimited } from '../support/server-process.ts'
import { type StoreSetup, testStores } from '../support/stores.ts'
import { createWorld } from '../support/world.ts'

/** 10,000 for the whole of it. */
const rotations = Number(process.env.LATCHKEY_FAULT_ROTATIONS ?? 400)
const families = Number(process.env.LATCHKEY_FAULT_FAMILIES ?? 60)
/** Milliseconds between two cuts, 0 to twice as many: Postgres takes longer than Redis to accept a connection. */
const pauses = { redis: 50, postgres: 150 }

/** Keeps each processor busy. */
const keepBusy = (t: Test) => {
  const loops = cpus().map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))
  t.teardown(() => {
    for (const loop of loops) loop.kill('SIGKILL')
  })
}

/** Cuts all connections over and over. Every other time commands run first and their replies are held back. */
const keepCutting = (relay: Relay, pause: number) => {
  let stopped = false
  let cuts = 0
  const cutting = async () => {
    while (!stopped) {
      await sleep(Math.random() * pause * 2)
      if (cuts % 2 === 0) {
        relay.stallAnswers()
        await sleep(Math.random() * 20)
      }
      relay.cut()
      relay.mend()
      cuts++
    }
  }
  const done = cutting()
  return async () => {
    stopped = true
    await done
    return cuts
  }
}

const totalOf = (metrics: string, name: string) =>
  metrics
    .split('\n')
    .filter((line) => line.startsWith(name))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)

/** Two instances behind one relay to the store of families. */
const startBoth = async (t: Test, stores: StoreSetup) => {
  const relay = await relayTo(stores.redisUrl ?? stores.databaseUrl)
  const through = stores.redisUrl ? { redisUrl: relay.url } : { databaseUrl: relay.url }
  const settings = {
    stores: { ...stores, ...through },
    environment: { ...unlimited, STORE_TIMEOUT_MS: '1500' },
  }
  const servers = [await startServerProcess(t, settings), await startServerProcess(t, settings)]
  t.teardown(() => relay.close())
  return { relay, servers, urls: servers.map(({ url }) => url) }
}

for (const stores of await testStores()) {
  t.test(`F-27 503 means not spent, on the other instance too (${stores.name})`, async (t) => {
    t.teardown(() => stores.drop())
    const { relay, servers, urls } = await startBoth(t, stores)
    const [first] = servers as [(typeof servers)[0]]
    const { confidential: app, ana, acme } = await createWorld(first)
    const chains = await seededChains(stores, first, app, ana, families)
    keepBusy(t)
    const stopCutting = keepCutting(relay, stores.redisUrl ? pauses.redis : pauses.postgres)
    let turn = 0
    const rotating = keepRotating(chains, app, () => urls[turn++ % 2] as string, 5, 20)
    const isLost = () => chains.some(({ ended }) => ended)
    while (rotating.tally.ok < rotations && !isLost()) await sleep(100)
    const tally = await rotating.stop()
    t.comment(`${await stopCutting()} cuts, ${tally.ok} rotations, ${tally.away} answers of 503`)
    t.same([tally.odd, tally.lost, tally.twice], [[], 0, 0])
    t.equal(chains.filter(({ ended }) => ended).length, 0, 'no family is lost')

    while ((await clientCredentials(first.url, app, acme)).status !== 200) await sleep(100)
    const metrics = await Promise.all(
      urls.map(async (url) => (await fetch(`${url}/metrics`)).text()),
    )
    const recorded = metrics.map((text) => totalOf(text, 'latchkey_unsettled_requests_total'))
    t.ok(
      recorded.some((count) => count > 0),
      `${recorded.join(' and ')} requests were unsettled`,
    )
    const { alive } = await replayAll(t, first.url, app, chains)
    t.equal(alive, families / 2, 'each newest token is still good')
  })
}
