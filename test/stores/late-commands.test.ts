/**
 * A caller gives up after its timeout, and its command may still arrive, because the server was
 * frozen or the network delayed the bytes. The command must not consume anything for a caller that
 * got 503.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { StoreUnavailable } from '../../src/core/language/errors.ts'
import { backendOf, type LiveStores, openRedis, openTables } from '../contracts/backends.ts'
import { relayTo } from '../support/relay.ts'
import { testStores } from '../support/stores.ts'

const timeout = 1500

for (const stores of await testStores()) {
  const backend = await backendOf(stores)
  t.teardown(() => stores.drop())

  t.test(`a delayed command (${backend.name})`, async (t) => {
    const relay = await relayTo(stores.redisUrl ?? stores.databaseUrl)
    const direct = await backend.open()
    const remote: LiveStores = stores.redisUrl
      ? await openRedis(relay.url, { timeout })
      : openTables(relay.url, { timeout })
    t.teardown(async () => {
      await remote.close()
      await direct.close()
      await relay.close()
    })
    const spend = (families: LiveStores['families'], id: string, generation: number) =>
      families.advance(id, generation, randomUUID(), 0)
    const id = randomUUID()
    await remote.families.create(id, 0, 60)
    await spend(remote.families, id, 0)

    t.test('a command consumes nothing after its caller gave up', async (t) => {
      relay.stall()
      const refused = Promise.all([
        t.rejects(spend(remote.families, id, 1), StoreUnavailable),
        t.rejects(spend(remote.families, id, 0), StoreUnavailable, 'a replay revokes nothing'),
      ])
      await refused
      await sleep(timeout)
      relay.resume()
      await sleep(200) // Now it arrives.
      t.match(await spend(direct.families, id, 1), { outcome: 'advanced', generation: 2 })
    })

    t.test('the connection works again afterwards', async (t) => {
      t.match(await spend(remote.families, id, 2), { outcome: 'advanced', generation: 3 })
    })
  })
}
