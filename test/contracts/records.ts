import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import type { Backend } from './backends.ts'

const life = 60 // s
const short = 2 // s; long enough to observe the remaining time on a busy machine
const afterShort = 2300 // ms
const parallel = 50
const rounds = 5

const open = { state: 'open', value: 'first' }
const many = <Result>(work: (at: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: parallel }, (_, at) => work(at)))

/** Required behaviour of every backend of short-lived records. */
export const recordContract = async (t: Test, backend: Backend) => {
  const stores = [await backend.open(), await backend.open()] as const
  t.teardown(() => Promise.all(stores.map((one) => one.close())))
  const [{ records }, { records: elsewhere }] = stores
  const either = (at: number) => (at % 2 ? records : elsewhere)

  t.test('a record is found unchanged, in its collection only', async (t) => {
    const key = randomUUID()
    const record = { state: 'öffen', value: 'line\n"quoted" \\ 🔑'.repeat(200) }
    await records.put('one', key, record, life)
    t.same(await elsewhere.find('one', key), record)
    t.equal(await records.find('other', key), null)
    t.equal(await records.find('one', `${key}x`), null)
    await records.put('one', key, open, life)
    t.same(await records.find('one', key), open, 'put replaces')
    await records.delete('one', key)
    t.equal(await records.find('one', key), null)
    await records.delete('one', key)
  })

  t.test('of concurrent inserts one succeeds', async (t) => {
    for (let round = 0; round < rounds; round++) {
      const key = randomUUID()
      const won = await many((at) =>
        either(at).insert('once', key, { state: 'open', value: String(at) }, life),
      )
      t.equal(won.filter(Boolean).length, 1, `round ${round}`)
      t.equal((await records.find('once', key))?.value, String(won.indexOf(true)))
    }
  })

  t.test('of concurrent changes the first one stays', async (t) => {
    for (let round = 0; round < rounds; round++) {
      const key = randomUUID()
      await records.put('answer', key, open, life)
      const won = await many((at) =>
        either(at).change('answer', key, 'open', { state: 'answered', value: String(at) }),
      )
      t.equal(won.filter(Boolean).length, 1, `round ${round}`)
      t.same(await records.find('answer', key), {
        state: 'answered',
        value: String(won.indexOf(true)),
      })
    }
    t.equal(await records.change('answer', randomUUID(), 'open', open), false, 'nothing to change')
  })

  t.test('of concurrent takes one gets the record', async (t) => {
    for (let round = 0; round < rounds; round++) {
      const key = randomUUID()
      await records.put('pick', key, open, life)
      const taken = await many((at) => either(at).take('pick', key))
      t.same(
        taken.filter((one) => one !== null),
        [open],
        `round ${round}`,
      )
      t.equal(await records.find('pick', key), null)
    }
  })

  t.test('an expired record is absent', async (t) => {
    const [found, taken, changed, inserted, renewed] = Array.from({ length: 5 }, () => randomUUID())
    for (const key of [found, taken, changed, inserted, renewed])
      await records.put('brief', key as string, open, short)
    await records.put('brief', renewed as string, open, life)
    t.equal(await records.insert('brief', inserted as string, open, life), false, 'not yet')
    await sleep(afterShort)
    t.equal(await records.find('brief', found as string), null)
    t.equal(await records.take('brief', taken as string), null)
    t.equal(await records.change('brief', changed as string, 'open', open), false)
    t.equal(await records.insert('brief', inserted as string, open, life), true, 'the id is free')
    t.same(await records.find('brief', renewed as string), open, 'the later expiry applies')
  })

  t.test('a change does not extend the expiry', async (t) => {
    const key = randomUUID()
    await records.put('brief', key, open, short)
    t.equal(await records.change('brief', key, 'open', { state: 'open', value: 'second' }), true)
    await sleep(afterShort)
    t.equal(await records.find('brief', key), null)
  })
}

/** Required behaviour of every backend of counters. */
export const counterContract = async (t: Test, backend: Backend) => {
  const stores = [await backend.open(), await backend.open()] as const
  t.teardown(() => Promise.all(stores.map((one) => one.close())))
  const [{ counters }, { counters: elsewhere }] = stores

  t.test('hits are summed, 0 reads, -1 releases one', async (t) => {
    const key = randomUUID()
    t.match(await counters.hit(key, 0, life), { count: 0 })
    t.match(await counters.hit(key, 1, life), { count: 1 })
    t.match(await elsewhere.hit(key, 1, life), { count: 2 })
    t.match(await counters.hit(key, -1, life), { count: 1 })
    const read = await counters.hit(key, 0, life)
    t.equal(read.count, 1)
    t.ok(read.resetsIn > life - 10 && read.resetsIn <= life, 'seconds until the window restarts')
  })

  t.test('no concurrent hit is lost', async (t) => {
    const key = randomUUID()
    const answers = await many((at) => (at % 2 ? counters : elsewhere).hit(key, 1, life))
    const counts = answers.map((one) => one.count).sort((a, b) => a - b)
    t.same(
      counts,
      Array.from({ length: parallel }, (_, at) => at + 1),
    )
  })

  t.test('the window starts with the first hit, and later hits do not move it', async (t) => {
    const key = randomUUID()
    await counters.hit(key, 1, short)
    await sleep(1000)
    t.match(await counters.hit(key, 1, short), { count: 2 })
    await sleep(afterShort - 1000) // Before a window that started with the second hit would end.
    t.match(await counters.hit(key, 0, short), { count: 0 })
    t.match(await counters.hit(key, 1, short), { count: 1 }, 'a new window')
  })

  t.test('a late release does not make the count negative', async (t) => {
    const key = randomUUID()
    await counters.hit(key, 1, short)
    await sleep(afterShort)
    t.match(await counters.hit(key, -1, life), { count: 0 })
    t.match(await counters.hit(key, 1, life), { count: 1 })
  })
}
