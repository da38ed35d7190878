/**
 * F-02: servers are killed at random among the rotations of thousands of families: no token works
 * twice, no family has two live tokens.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { keepRotating, replayAll } from '../support/chains.ts'
import { eventually } from '../support/eventually.ts'
import { isNight } from '../support/property.ts'
import { seededChains } from '../support/seeded-chains.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { testStores } from '../support/stores.ts'
import { createWorld } from '../support/world.ts'

/** LATCHKEY_FAULT_FAMILIES=20000 for a long run. */
const families = Number(process.env.LATCHKEY_FAULT_FAMILIES ?? (isNight ? 1000 : 300))
const kills = Number(process.env.LATCHKEY_FAULT_ROUNDS ?? (isNight ? 6 : 3))
const clients = 32

for (const stores of await testStores()) {
  t.test(
    `F-02 no token works twice although two servers are killed in turn, ${kills} times (${stores.name})`,
    async (t) => {
      t.teardown(() => stores.drop())
      const first = await startServerProcess(t, { stores })
      const environment = { ISSUER: first.url }
      const start = () => startServerProcess(t, { stores, environment })
      const servers: [ServerProcess, ServerProcess] = [first, await start()]
      const { confidential: app, ana } = await createWorld(first)
      const chains = await seededChains(stores, first, app, ana, families)
      let turn = 0
      const url = () => servers[turn++ % 2 === 0 ? 0 : 1].url
      const rotating = keepRotating(chains, app, url, 1, clients)
      for (let kill = 0; kill < kills; kill++) {
        const before = rotating.tally.ok
        await eventually(() => rotating.tally.ok > before + families / kills)
        await sleep(Math.random() * 50)
        const at = kill % 2 === 0 ? 0 : 1
        servers[at].signal('SIGKILL')
        await servers[at].ended
        servers[at] = await start()
      }
      // Each token once more, which settles those in doubt.
      const moved = () => chains.every(({ tokens, ended }) => ended || tokens.length > 1)
      await eventually(moved)
      const { ok, lost, odd, twice, unexplained, invalidGrant } = await rotating.stop()
      t.same([odd, twice, unexplained], [[], 0, 0], `${ok} went well, ${lost} lost their answer`)
      const over = chains.filter(({ ended }) => ended).length
      t.equal(
        over,
        invalidGrant,
        `${over} families are over: their answer was lost with the server`,
      )
      t.ok(over <= kills * clients, 'no other family is revoked')
      const { alive } = await replayAll(t, servers[0].url, app, chains, Number.POSITIVE_INFINITY)
      t.ok(alive <= families - over)
    },
  )
}
