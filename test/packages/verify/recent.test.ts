import t from 'tap'
import { createRecent } from '../../../packages/verify/src/rules/recent.ts'

t.test('drops the least recently used half by number', async (t) => {
  const recent = createRecent<number>(4)
  for (let at = 0; at < 4; at++) recent.set(`k${at}`, at)
  t.equal(recent.get('k0'), 0, 'used again')
  recent.set('k4', 4)
  recent.set('k5', 5)
  t.equal(recent.get('k1'), undefined)
  t.equal(recent.get('k5'), 5)
})

t.test('drops by weight, so that long values do not add up', async (t) => {
  const recent = createRecent<string>(100, (text) => text.length)
  for (let at = 0; at < 1000; at++) recent.set(`k${at}`, 'x'.repeat(30))
  const kept = Array.from({ length: 1000 }, (_, at) => recent.get(`k${at}`)?.length ?? 0)
  const sum = kept.reduce((all, one) => all + one, 0)
  t.ok(sum > 0 && sum <= 100 + 2 * 30, `${sum}`)
  t.equal(recent.get('k999')?.length, 30)
})

t.test('a replaced or deleted value does not count', async (t) => {
  const recent = createRecent<number>(10, (weight) => weight)
  recent.set('a', 2)
  for (let at = 0; at < 100; at++) recent.set('b', 2)
  t.equal(recent.get('a'), 2)
  for (let at = 0; at < 100; at++) {
    recent.set(`c${at}`, 1)
    recent.deleteWhere((weight) => weight === 1)
  }
  t.equal(recent.get('a'), 2)
  recent.clear()
  t.equal(recent.get('a'), undefined)
})
