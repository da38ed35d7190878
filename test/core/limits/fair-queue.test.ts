import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { createFairQueue } from '../../../src/core/limits/fair-queue.ts'

/** A line whose work ends when the test says so. */
const createScene = (most = 1) => {
  const time = { now: 0 }
  const inLine = createFairQueue(() => time.now, most)
  const running: { name: string; end(): void }[] = []
  const started: string[] = []
  const refused: string[] = []
  const come = (name: string, account: string, address: string | null) => {
    void inLine({ account, address }, () => {
      started.push(name)
      return new Promise<void>((end) => running.push({ name, end }))
    }).catch(() => refused.push(name))
  }
  const endOne = async () => {
    running.shift()?.end()
    await turn()
  }
  return { time, come, endOne, running, started, refused }
}

t.test('one account runs one at a time, and four of its requests wait', async (t) => {
  const { come, endOne, running, started, refused } = createScene(2)
  for (let at = 0; at < 8; at++) come(`kim${at}`, 'kim', '192.0.2.1')
  await turn()
  t.same(started, ['kim0'], 'although there is room for two')
  t.same(refused, ['kim5', 'kim6', 'kim7'], 'at once')
  come('ana', 'ana', '192.0.2.1')
  await turn()
  t.same(started, ['kim0', 'ana'], 'another account does not wait for it')
  for (let at = 0; at < 8; at++) await endOne()
  t.same(started, ['kim0', 'ana', 'kim1', 'kim2', 'kim3', 'kim4'])
  t.equal(running.length, 0)
})

t.test(
  'one network has eight places in the line, and others are served before its backlog',
  async (t) => {
    const { come, endOne, started, refused } = createScene()
    for (let at = 0; at < 20; at++) come(`bad${at}`, `bad${at}`, '192.0.2.1')
    come('good', 'ana', '198.51.100.1')
    await turn()
    t.equal(refused.length, 11, 'one runs and eight wait')
    await endOne()
    await endOne()
    t.same(started, ['bad0', 'bad1', 'good'], 'the networks take turns')
  },
)

t.test('an IPv6 /64 counts as one network', async (t) => {
  const { come, refused } = createScene()
  for (let at = 0; at < 12; at++) come(`bad${at}`, `bad${at}`, `2001:db8::${at}`)
  await turn()
  t.equal(refused.length, 3)
})

t.test(
  'within one network, an account with fewer waiting requests displaces one with more',
  async (t) => {
    const { come, endOne, started, refused } = createScene()
    for (const account of ['a', 'b', 'c'])
      for (let at = 0; at < 4; at++) come(`${account}${at}`, account, '192.0.2.1')
    come('kim', 'kim', '192.0.2.1')
    await turn()
    t.notOk(refused.includes('kim'))
    for (let at = 0; at < 10; at++) await endOne()
    t.ok(started.includes('kim'))
  },
)

t.test('in a full line a network with fewer requests finds room', async (t) => {
  const { come, endOne, started, refused } = createScene()
  for (let network = 0; network < 5; network++)
    for (let at = 0; at < 9; at++)
      come(`${network}.${at}`, `${network}.${at}`, `192.0.2.${network + 1}`)
  await turn()
  come('good', 'ana', '198.51.100.1')
  await turn()
  t.notOk(refused.includes('good'))
  for (let at = 0; at < 7; at++) await endOne()
  t.ok(started.includes('good'), 'within one turn of each')
})

t.test('a crowd from one network does not delay others', async (t) => {
  const { time, come, endOne, started, refused } = createScene()
  for (let at = 0; at < 9; at++) come(`bad${at}`, `bad${at}`, '192.0.2.1')
  time.now = 5000
  come('good', 'ana', '198.51.100.1')
  time.now = 5600
  await endOne()
  await endOne()
  t.ok(started.includes('good'))
  t.ok(refused.length > 0, 'its own requests are delayed')
})

t.test('operators fill the whole line, and make room for users', async (t) => {
  const { come, endOne, started, refused } = createScene()
  for (let at = 0; at < 40; at++) come(`op${at}`, `new${at}`, null)
  await turn()
  t.equal(refused.length, 7, 'one runs and 32 wait')
  come('good', 'ana', '198.51.100.1')
  for (let at = 0; at < 3; at++) await endOne()
  t.ok(started.includes('good'))
})

t.test('failed work frees its place', async (t) => {
  const inLine = createFairQueue(() => 0, 1)
  const caller = { account: 'kim', address: '192.0.2.1' }
  await t.rejects(
    inLine(caller, () => Promise.reject(new Error('away'))),
    { message: 'away' },
  )
  t.equal(await inLine(caller, async () => 'done'), 'done')
})
