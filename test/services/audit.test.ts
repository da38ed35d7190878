import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { type AuditEvent, createAuditTrail } from '../../src/services/audit.ts'
import { openTestStores } from '../support/open-stores.ts'
import { relayTo } from '../support/relay.ts'
import { type StoreSetup, testStores } from '../support/stores.ts'
import { sql } from '../support/traces.ts'

const event = (type: string): AuditEvent => ({ type, actor: { kind: 'system', id: null } })
const flushEvery = 50 // ms
const oneTurn = 300 // ms

/** A trail on the way to a database that can be cut. */
const startTrail = async (t: Test, setup: StoreSetup) => {
  const relay = await relayTo(setup.databaseUrl)
  const stores = await openTestStores(
    { databaseUrl: relay.url, redisUrl: null },
    { STORE_TIMEOUT_MS: '200' },
  )
  const batches: number[] = []
  const lost: number[] = []
  const store = {
    append: (events: readonly AuditEvent[]) => {
      batches.push(events.length)
      return stores.audit.append(events)
    },
  }
  const trail = createAuditTrail(store, (count) => void lost.push(count), flushEvery)
  t.teardown(async () => {
    relay.mend()
    await trail.close()
    await stores.close()
    await relay.close()
    await setup.drop()
  })
  const written = async () =>
    (await sql<{ type: string }>(setup, 'select type from audit_events order by id')).map(
      (row) => row.type,
    )
  return { relay, trail, batches, lost, written }
}

const onTables = async (name: string, test: (t: Test, setup: StoreSetup) => Promise<void>) => {
  for (const setup of await testStores()) {
    if (setup.redisUrl === null) await t.test(name, (t) => test(t, setup))
    else await setup.drop() // the trail is in Postgres whatever else there is
  }
}

await onTables('events are written in batches, in their order', async (t, setup) => {
  const { trail, batches, lost, written } = await startTrail(t, setup)
  const types = Array.from({ length: 100 }, (_, at) => `event ${at}`)
  for (const type of types) trail.record(event(type))
  t.same(await written(), [], 'nothing is written on the request path')
  await sleep(oneTurn)
  t.same(await written(), types)
  t.same(batches, [100])
  trail.record(event('last'))
  await trail.close()
  t.equal((await written()).at(-1), 'last', 'a close writes what waits')
  t.same(lost, [])
})

await onTables('while the store is away events are kept', async (t, setup) => {
  const { relay, trail, lost, written } = await startTrail(t, setup)
  relay.cut()
  trail.record(event('one'))
  await sleep(oneTurn)
  trail.record(event('two'))
  await sleep(oneTurn)
  t.same(await written(), [])
  relay.mend()
  await sleep(oneTurn)
  t.same(await written(), ['one', 'two'])
  t.same(lost, [])
})

await onTables('what does not fit and what is left at the end is counted', async (t, setup) => {
  const { relay, trail, lost, written } = await startTrail(t, setup)
  relay.cut()
  for (let i = 0; i < 10_003; i++) trail.record(event('many'))
  t.same(lost, [1, 1, 1])
  await trail.close()
  t.equal(
    lost.reduce((sum, one) => sum + one, 0),
    10_003,
  )
  t.same(await written(), [])
})

await onTables('an event that the store can never take holds up no other', async (t, setup) => {
  const { trail, lost, written } = await startTrail(t, setup)
  for (const type of ['before', 'a NUL \0', 'after']) trail.record(event(type))
  await sleep(oneTurn)
  t.same(await written(), ['before', 'after'])
  t.same(lost, [1])
})
