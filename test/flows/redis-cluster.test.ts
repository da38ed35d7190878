// Nightly, and when src/stores changes: it starts a cluster of Redis.
/** A real Redis Cluster of three nodes: every script uses one key, so it reaches the right node. */
import { Redis } from 'ioredis'
import t from 'tap'
import { everyFlow } from '../support/every-flow.ts'
import { everyPage } from '../support/every-page.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { storesNamed } from '../support/open-stores.ts'
import { noRedis } from '../support/own-redis.ts'
import { startCluster } from '../support/redis-programs.ts'

t.test('every flow works on two instances', noRedis || {}, async (t) => {
  const stores = await storesNamed('servers')
  if (!stores) throw new Error('there is no Postgres to test with')
  t.teardown(stores.drop)
  const { url, programs } = await startCluster(t)
  const running = await startLatchkey(
    { ...stores, redisUrl: url },
    { instances: 2, environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } },
  )
  t.teardown(running.stop)
  const { world } = await everyFlow(t, running)
  await everyPage(t, running, world)
  t.same(
    running.log.filter((line) => /"level":(50|60)/.test(line)),
    [],
  )

  const lives: string[] = []
  for (const { port } of programs) {
    const node = new Redis(port)
    const keys = await node.keys('*')
    t.ok(keys.length > 0, `${keys.length} keys on a node`)
    for (const key of keys) {
      t.match(key, /^lk:[a-z_-]+:\{[^{}]+\}$/i, 'a key has its own hash tag')
      if ((await node.ttl(key)) === -1) lives.push(key)
    }
    node.disconnect()
  }
  t.ok(lives.length > 0)
  t.same(
    lives.filter((key) => !key.startsWith('lk:f:')),
    [],
    'only families lack an expiry',
  )
})
