import t from 'tap'
import { createFetchSlots } from '../../../src/core/outbound/fetch-slots.ts'
import { OutboundBusy } from '../../../src/core/outbound/waits.ts'

const patient = new AbortController().signal

/** Slots whose work ends when the test says so. */
const held = (most: { all: number; each: number }) => {
  const inSlot = createFetchSlots(most)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    enter: (name: string, ...lanes: string[]) =>
      inSlot(
        lanes,
        patient,
        () =>
          new Promise<void>((resolve) => {
            begun.push(name)
            ends.set(name, resolve)
          }),
      ),
    end: async (name: string) => {
      ends.get(name)?.()
      await new Promise(setImmediate)
    },
  }
}

t.test('a free slot goes to the owner that has the fewest, in order of arrival', async (t) => {
  const { begun, enter, end } = held({ all: 3, each: 3 })
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void enter(name, 'a')
  for (const name of ['b1', 'b2']) void enter(name, 'b')
  void enter('c1', 'c')
  await end('')
  t.same(begun.splice(0), ['a1', 'a2', 'a3'])
  for (const [ended, next] of [
    ['a1', 'b1'],
    ['a2', 'c1'],
    ['b1', 'b2'],
    ['a3', 'a4'],
    ['c1', 'a5'],
  ] as const) {
    await end(ended)
    t.same(begun.splice(0), [next], `after ${ended}`)
  }
})

t.test('work is bounded in each of its lanes, and a full lane holds up no other', async (t) => {
  const { begun, enter, end } = held({ all: 9, each: 1 })
  void enter('a x', 'a', 'x')
  void enter('a y', 'a', 'y')
  void enter('b x', 'b', 'x')
  void enter('b z', 'b', 'z')
  await end('')
  t.same(begun.splice(0), ['a x', 'b z'])
  await end('a x')
  t.same(begun.splice(0), ['a y'])
  await end('b z')
  t.same(begun.splice(0), ['b x'])
})

t.test('work that gives up has no slot, and leaves none occupied', async (t) => {
  const inSlot = createFetchSlots({ all: 1, each: 1 })
  const impatient = new AbortController()
  let end = () => {}
  const first = inSlot(['a'], patient, () => new Promise<void>((resolve) => (end = resolve)))
  const second = inSlot(['b'], impatient.signal, async () => t.fail('it has no slot'))
  impatient.abort()
  await t.rejects(second, OutboundBusy)
  await t.rejects(
    inSlot(['b'], impatient.signal, async () => undefined),
    OutboundBusy,
  )
  end()
  await first
  const fault = new Error('of the work')
  await t.rejects(
    inSlot(['a'], patient, () => Promise.reject(fault)),
    fault,
  )
  t.equal(await inSlot(['a'], patient, async () => 'done'), 'done')
})
