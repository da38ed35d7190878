import t from 'tap'
import { createTurns } from '../../../src/core/provisioning/turns.ts'

t.test('SCM-06 requests of one organization run one at a time and delay no other', async (t) => {
  const turns = createTurns()
  const order: string[] = []
  const end = await turns('a')
  const second = turns('a').then((ended) => {
    order.push('second')
    return ended
  })
  const third = turns('a').then((ended) => {
    order.push('third')
    return ended
  })
  ;(await turns('b'))()
  t.same(order, [], 'organization b did not wait, and a has one turn')
  end()
  end()
  const endSecond = await second
  t.same(order, ['second'], 'a turn ends once')
  endSecond()
  ;(await third)()
  t.same(order, ['second', 'third'])
})

t.test('SCM-06 few requests wait, and not for long', async (t) => {
  const turns = createTurns()
  const end = await turns('a')
  const waiting = Array.from({ length: 24 }, () => turns('a').catch((error: unknown) => error))
  await t.rejects(turns('a'), { code: 'slow_down', retryAfter: 1 })
  for (const refused of await Promise.all(waiting)) t.match(refused, { code: 'slow_down' })
  end()
  ;(await turns('a'))()
})
