import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { createFairTurns } from '../../../src/http/server/fair-turns.ts'

t.test('a network starts a few requests per turn, others start at once', async (t) => {
  const turns = createFairTurns(4)
  const begun: string[] = []
  for (let at = 1; at <= 10; at++) turns.begin('many', () => begun.push(`many ${at}`))
  turns.begin('few', () => begun.push('few'))
  t.same(begun, ['many 1', 'many 2', 'many 3', 'many 4', 'few'])
  await nextTurn()
  turns.begin('many', () => begun.push('many 11'))
  turns.begin('few', () => begun.push('few'))
  t.same(begun.slice(5), ['many 5', 'many 6', 'many 7', 'many 8', 'few'])
  await nextTurn()
  t.same(begun.slice(10), ['many 9', 'many 10', 'many 11'], 'in the order of arrival')
  await nextTurn()
  turns.begin('many', () => begun.push('many 12'))
  t.equal(begun.at(-1), 'many 12', 'at once again')
})

t.test('a delayed request keeps its async context', async (t) => {
  const turns = createFairTurns(4)
  const context = new AsyncLocalStorage<number>()
  const seen: (number | undefined)[] = []
  for (let at = 0; at < 12; at++)
    context.run(at, () => turns.begin('one', () => seen.push(context.getStore())))
  await nextTurn()
  await nextTurn()
  t.same(seen, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
})
