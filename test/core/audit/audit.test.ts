import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { type AuditEvent, createAuditTrail } from '../../../src/core/audit/audit.ts'
import { equalShares } from '../../../src/core/audit/equal-shares.ts'
import { StoreUnavailable } from '../../../src/core/language/errors.ts'
import type { EventType } from '../../../src/core/language/event-types.ts'
import { eventually } from '../../support/eventually.ts'
import { openTestStores } from '../../support/open-stores.ts'
import { relayTo } from '../../support/relay.ts'
import { type StoreSetup, testStores } from '../../support/stores.ts'
import { sql } from '../../support/traces.ts'

const event = (type: string): AuditEvent => ({
  type: type as EventType,
  actor: { kind: 'system', id: null },
})
const flushEvery = 50 // ms

/** A trail whose connection to the database can be cut. */
const startTrail = async (t: Test, setup: StoreSetup) => {
  const relay = await relayTo(setup.databaseUrl)
  const stores = await openTestStores(
    { databaseUrl: relay.url, redisUrl: null },
    { STORE_TIMEOUT_MS: '400' },
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
  const read = async () =>
    (await sql<{ type: string }>(setup, 'select type from audit_events order by id')).map(
      (row) => row.type,
    )
  /** The written events, once there are this many. */
  const written = async (count: number) => {
    let types = await read()
    for (; types.length < count; types = await read()) await sleep(flushEvery)
    return types
  }
  return { relay, trail, batches, lost, written }
}

const onTables = async (name: string, test: (t: Test, setup: StoreSetup) => Promise<void>) => {
  // Every setup keeps the trail in Postgres.
  for (const setup of await testStores({ only: 'embedded' })) {
    await t.test(name, (t) => test(t, setup))
  }
}

await onTables('events are written in batches, in their order', async (t, setup) => {
  const { trail, batches, lost, written } = await startTrail(t, setup)
  const types = Array.from({ length: 100 }, (_, at) => `event ${at}`)
  for (const type of types) trail.record(event(type))
  t.same(batches, [], 'nothing is written on the request path')
  t.same(await written(100), types)
  t.same(batches, [100])
  trail.record(event('last'))
  await trail.close()
  t.equal((await written(0)).at(-1), 'last', 'a close writes the buffered events')
  t.same(lost, [])
})

await onTables('while the store is away events are kept', async (t, setup) => {
  const { relay, trail, batches, lost, written } = await startTrail(t, setup)
  relay.cut()
  trail.record(event('one'))
  while (batches.length < 2) await sleep(flushEvery)
  trail.record(event('two'))
  while (batches.at(-1) !== 2) await sleep(flushEvery)
  t.same(await written(0), [])
  relay.mend()
  t.same(await written(2), ['one', 'two'])
  t.same(lost, [])
})

await onTables('what does not fit and what is left at the end is counted', async (t, setup) => {
  const { relay, trail, lost, written } = await startTrail(t, setup)
  relay.cut()
  for (let i = 0; i < 11_003; i++) trail.record(event('many'))
  t.same(lost, [1000])
  await trail.close()
  t.equal(
    lost.reduce((sum, one) => sum + one, 0),
    11_003,
  )
  t.same(await written(0), [])
})

t.test('the buffer is bounded while a write hangs', async (t) => {
  let goOn: () => void = () => undefined
  const hanging = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let requested = 0
  const append = () => {
    requested++
    return hanging
  }
  const lost: number[] = []
  const trail = createAuditTrail({ append }, (count) => void lost.push(count), flushEvery)
  trail.record(event('under way'))
  await eventually(() => requested === 1)
  for (let i = 0; i < 10_999; i++) trail.record(event('waits'))
  await sleep(5 * flushEvery) // Turns during which the write is still running.
  t.equal(requested, 1)
  t.same(lost, [])
  trail.record(event('too many'))
  t.same(lost, [1000])
  goOn()
  await trail.close()
  t.equal(requested, 21, 'in parts of 500')
})

t.test('while the store is away, one organization cannot take the places of others', async (t) => {
  let isAway = true
  let attempts = 0
  const types: string[] = []
  const append = async (events: readonly AuditEvent[]) => {
    attempts++
    if (isAway) throw new StoreUnavailable('postgres')
    for (const { type } of events) types.push(type)
  }
  let lost = 0
  const onLost = (count: number) => {
    lost += count
  }
  const trail = createAuditTrail({ append }, onLost, flushEvery)
  const flood = (count: number) => {
    for (let i = 0; i < count; i++) trail.record({ ...event('flood'), organizationId: 'loud' })
  }
  trail.record({ ...event('first'), organizationId: 'quiet' })
  flood(9_999)
  await eventually(() => attempts > 0)
  flood(3_000)
  trail.record({ ...event('of an address'), address: '192.0.2.1' })
  flood(9_000)
  trail.record({ ...event('last'), organizationId: 'quiet' })
  isAway = false
  await trail.close()
  const others = types.filter((type) => type !== 'flood')
  t.same(others, ['first', 'of an address', 'last'])
  t.equal(types.length + lost, 22_002, 'what is lost is counted')
})

t.test('sources share the places', async (t) => {
  const sourceOf = (entry: string) => entry.charAt(0)
  const shares: [entries: string, most: number, kept: string][] = [
    ['aabac', 5, 'aabac'],
    ['aaaaab', 3, 'aab'],
    ['aaaabbbbc', 5, 'aabbc'],
    ['abcd', 2, 'ab'],
    ['aaabcd', 2, 'ab'],
  ]
  for (const [entries, most, kept] of shares)
    t.equal(equalShares([...entries], most, sourceOf).join(''), kept, entries)
})

await onTables('an event that the store can never take holds up no other', async (t, setup) => {
  const { trail, lost, written } = await startTrail(t, setup)
  for (const type of ['before', 'a NUL \0', 'after']) trail.record(event(type))
  t.same(await written(2), ['before', 'after'])
  t.same(lost, [1])
})
