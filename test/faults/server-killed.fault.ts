/** Servers are killed at random among the rotations of many families: no token works twice, no family has two. */
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { keepRotating, newChains, replayAll } from '../support/chains.ts'
import { eventually } from '../support/eventually.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { testStores } from '../support/stores.ts'
import { createWorld } from '../support/world.ts'

/** LATCHKEY_FAULT_FAMILIES=5000 for a long look. */
const families = Number(process.env.LATCHKEY_FAULT_FAMILIES ?? 40)
const kills = Number(process.env.LATCHKEY_FAULT_ROUNDS ?? 2)

for (const stores of await testStores()) {
  t.test(`F-02 two servers are killed in turn (${stores.name})`, async (t) => {
    t.teardown(() => stores.drop())
    const first = await startServerProcess(t, { stores })
    const environment = { ISSUER: first.url }
    const start = () => startServerProcess(t, { stores, environment })
    const servers: [ServerProcess, ServerProcess] = [first, await start()]
    const { confidential: app, ana } = await createWorld(first)
    const chains = await newChains(first, app, ana, families)
    let turn = 0
    const rotating = keepRotating(chains, app, () => servers[turn++ % 2 === 0 ? 0 : 1].url, 50)
    for (let kill = 0; kill < kills; kill++) {
      const before = rotating.tally.ok
      await eventually(() => rotating.tally.ok > before + families / 2)
      await sleep(Math.random() * 50)
      const at = kill % 2 === 0 ? 0 : 1
      servers[at].signal('SIGKILL')
      await servers[at].ended
      servers[at] = await start()
    }
    const { ok, lost, odd, twice, unexplained, invalidGrant } = await rotating.stop()
    t.same([odd, twice, unexplained], [[], 0, 0], `${ok} went well, ${lost} lost their answer`)
    const over = chains.filter(({ ended }) => ended).length
    t.equal(over, invalidGrant, `${over} families are over: their answer was lost with the server`)
    const { alive } = await replayAll(t, servers[0].url, app, chains)
    t.ok(alive <= families - over)
  })
}
