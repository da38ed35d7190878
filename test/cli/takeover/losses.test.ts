import t from 'tap'
import { createLosses, mostNamed } from '../../../src/cli/takeover/losses.ts'

t.test('names some losses of people and lines, and counts the others', async (t) => {
  const { lose, of, ofPeople } = createLosses()
  for (let at = 0; at < mostNamed + 50; at++) lose(`user ${at}`, 'password')
  for (let at = 0; at < 20; at++) lose(null, 'refused', `user ${at}: taken`)
  lose('user 1', 'password')
  lose('app', 'scope', 'odd')
  lose('app', 'scope', 'odd')
  t.equal(ofPeople().length, mostNamed)
  t.match(ofPeople()[1], { user: '1', count: 2 })
  t.match(of(null), [
    { reason: 'password', count: 50 },
    { reason: 'refused', detail: '…', count: 20 },
  ])
  t.match(of('app'), [{ reason: 'scope', detail: 'odd', count: 1 }])
})
