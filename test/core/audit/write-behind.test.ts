import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createWriteBehind } from '../../../src/core/audit/write-behind.ts'
import { StoreUnavailable } from '../../../src/core/language/errors.ts'
import { eventually } from '../../support/eventually.ts'

/** Collects numbers; the store refuses `bad` ones and is away as long as `isAway` says. */
const collector = (bad: number[] = []) => {
  let collected: number[] = []
  const state = {
    isAway: false,
    attempts: 0,
    written: [] as number[][],
    dropped: [] as [number[], unknown][],
  }
  const writeBehind = createWriteBehind<number[]>({
    flushEvery: 60_000,
    take: () => {
      const taken: number[][] = []
      while (collected.length > 0) taken.push(collected.splice(0, 3))
      return taken
    },
    write: async (batch) => {
      state.attempts++
      if (state.isAway) throw new StoreUnavailable('postgres')
      if (batch.some((one) => bad.includes(one))) throw new Error('rejected')
      state.written.push(batch)
    },
    keep: (batches) => {
      collected = [...batches.flat(), ...collected]
    },
    drop: (batch, cause) => void state.dropped.push([batch, cause]),
    split: (batch) => batch.map((one) => [one]),
  })
  const add = (one: number) => void collected.push(one)
  return { add, added: writeBehind.added, close: writeBehind.close, state }
}

t.test('writes everything at close, and nothing when there is nothing', async (t) => {
  const { add, close, state } = collector()
  add(1)
  add(2)
  await close()
  await close()
  t.same(state.written, [[1, 2]])
})

t.test('entries are written together, a tenth of a second after the first', async (t) => {
  const { add, added, close, state } = collector()
  for (const turn of [1, 2]) {
    for (const one of [turn, -turn]) {
      add(one)
      added()
    }
    await eventually(() => state.written.length === turn)
  }
  t.same(
    state.written,
    [
      [1, -1],
      [2, -2],
    ],
    'a minute before the next flush',
  )
  await close()
})

t.test('drops only the entry that the store rejects', async (t) => {
  const { add, close, state } = collector([2])
  for (const one of [1, 2, 3]) add(one)
  await close()
  t.same(state.written, [[1], [3]])
  t.match(state.dropped, [[[2], { message: 'rejected' }]])
})

t.test(
  'keeps a batch while the store is away, and drops it when there is no next flush',
  async (t) => {
    const { add, close, state } = collector()
    state.isAway = true
    add(1)
    await close()
    t.same(state.written, [])
    t.same(state.dropped, [[[1], 'closed']])
  },
)

t.test('once the store does not answer, the later batches wait too, in their order', async (t) => {
  const { add, added, close, state } = collector()
  state.isAway = true
  for (let one = 1; one <= 9; one++) add(one)
  added()
  await eventually(() => state.attempts > 0)
  await sleep(10)
  t.equal(state.attempts, 1, 'the wait for the store is one attempt')
  state.isAway = false
  await close()
  t.same(state.written, [
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9],
  ])
})
