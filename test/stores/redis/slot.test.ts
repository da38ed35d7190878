import t from 'tap'
import { slotOf } from '../../../src/stores/redis/slot.ts'

t.test('computes hash slots by the specification of Redis Cluster', async (t) => {
  const cases: [key: string, slot: number][] = [
    ['123456789', 0x31c3],
    ['foo', 12182],
    ['lk:f:{foo}', 12182],
    ['{foo}.following', 12182],
    ['foo{bar}{zap}', slotOf('bar')],
    ['foo{{bar}}zap', slotOf('{bar')],
  ]
  for (const [key, slot] of cases) t.equal(slotOf(key), slot, key)
  t.not(slotOf('foo{}{bar}'), slotOf('bar'), 'empty braces: the whole key counts')
})
