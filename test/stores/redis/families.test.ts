import { randomBytes, randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import t from 'tap'
import { openRedis } from '../../contracts/backends.ts'
import { testStores } from '../../support/stores.ts'

const rotations = 1000
const mostBytes = 320
const newNonce = () => randomBytes(9).toString('base64url')

for (const { redisUrl, drop } of await testStores()) {
  t.teardown(() => drop())
  if (redisUrl === null) continue

  t.test('a family in Redis', async (t) => {
    const { families, close } = await openRedis(redisUrl)
    const redis = new Redis(redisUrl)
    t.teardown(async () => {
      redis.disconnect()
      await close()
    })
    const id = randomUUID()
    await families.create(id, 0, 60)
    const [key = ''] = await redis.keys('*')

    t.test('a family is one key with its own hash tag', async (t) => {
      t.equal(await redis.dbsize(), 1)
      t.match(key, /^lk:f:\{[A-Za-z0-9_-]{22}\}$/)
    })

    t.test('a family loses its expiry when its code is redeemed', async (t) => {
      const left = await redis.pttl(key)
      t.ok(left > 50_000 && left <= 60_000)
      await families.advance(id, 0, newNonce(), 0)
      t.equal(await redis.ttl(key), -1)
    })

    t.test('a family stays small after many rotations', async (t) => {
      for (let live = 1; live < 10; live++) await families.advance(id, live, newNonce(), 0)
      const early = await redis.memory('USAGE', key)
      for (let live = 10; live < rotations; live++) await families.advance(id, live, newNonce(), 0)
      const late = await redis.memory('USAGE', key)
      t.equal(await redis.hget(key, 'g'), String(rotations))
      t.equal(late, early, 'constant')
      t.ok(Number(late) <= mostBytes, `${late} bytes`)
      t.equal(await redis.dbsize(), 1)
    })

    t.test('a thousand families with a hundred rotations each', async (t) => {
      const ids = Array.from({ length: 1000 }, () => randomUUID())
      const bytes = async () => {
        const keys = (await redis.keys('*')).filter((one) => one !== key)
        const pipeline = redis.pipeline()
        for (const one of keys) pipeline.memory('USAGE', one)
        const answers = (await pipeline.exec()) ?? []
        return answers.map(([, used]) => Number(used)).toSorted((a, b) => a - b)
      }
      await Promise.all(ids.map((one) => families.create(one, 0, 60)))
      const rotate = async (one: string, from: number, to: number) => {
        for (let live = from; live < to; live++) await families.advance(one, live, newNonce(), 0)
      }
      await Promise.all(ids.map((one) => rotate(one, 0, 1)))
      const before = await bytes()
      await Promise.all(ids.map((one) => rotate(one, 1, 101)))
      const after = await bytes()
      t.equal(after.length, ids.length)
      t.same(after, before, 'constant')
      t.ok(Number(after.at(-1)) <= mostBytes, `${after[0]} to ${after.at(-1)} bytes each`)
      t.comment(`${after[0]} to ${after.at(-1)} bytes for each of ${after.length} families`)
    })

    t.test('a family stores only the position of a token', async (t) => {
      t.same(Object.keys(await redis.hgetall(key)).toSorted(), ['g', 'n', 't'])
    })
  })
}
