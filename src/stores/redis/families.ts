import { StoreUnavailable } from '../../domain/errors.ts'
import type { Advance, FamilyStore } from '../../services/families.ts'
import type { RedisConnection, Script } from './connection.ts'

// A family is one small hash: g live generation, n nonce of the request that advanced it, t when (ms).
// Nothing in it can be used as a token.
const keyOf = (familyId: string) =>
  `lk:f:{${Buffer.from(familyId.replaceAll('-', ''), 'hex').toString('base64url')}}`

const create: Script = {
  name: 'latchkeyFamilyCreate',
  lua: `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'g', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`,
}

// RFC 9700 §4.14.2: use of any spent generation ends the family. The deadline comes first: a command that
// runs after its caller has given up (a stopped and continued server) must neither spend nor end anything.
const advance: Script = {
  name: 'latchkeyFamilyAdvance',
  lua: `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local presented, nonce, window = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
local deadline, spend = tonumber(ARGV[4]), ARGV[5] == '1'
if now > deadline then return {'late', 0, now} end
local family = redis.call('HMGET', KEYS[1], 'g', 'n', 't')
if not family[1] then return {'absent', 0, now} end
local live = tonumber(family[1])
if presented == live then
  if not spend then return {'live', live, now} end
  redis.call('HSET', KEYS[1], 'g', live + 1, 'n', nonce, 't', now)
  redis.call('PERSIST', KEYS[1])
  return {'advanced', live + 1, now}
end
if presented == live - 1 and spend and family[2] == nonce then return {'advanced', live, now} end
if presented == live - 1 and presented > 0 and window > 0 and now < tonumber(family[3] or 0) + window then
  return {spend and 'repeated' or 'live', live, now}
end
redis.call('DEL', KEYS[1])
return {'replayed', live, now}`,
}

const live: Script = { name: 'latchkeyFamilyLive', lua: `return redis.call('HGET', KEYS[1], 'g')` }
const end: Script = { name: 'latchkeyFamilyEnd', lua: `return redis.call('DEL', KEYS[1])` }

export const createFamilyStore = (redis: RedisConnection): FamilyStore => {
  // Before the caller gives up: what ran at the last moment still has the time to be told.
  const within = redis.timeout * 0.8

  const step = async (
    familyId: string,
    generation: number,
    nonce: string,
    retryWindow: number,
    spend: boolean,
  ): Promise<Advance> => {
    const started = performance.now()
    for (;;) {
      const { reply, replicated } = await redis.write(
        advance,
        keyOf(familyId),
        generation,
        nonce,
        retryWindow * 1000,
        redis.clock.deadline(within),
        spend ? 1 : 0,
      )
      const [outcome, reached, now] = reply as [Advance['outcome'] | 'late', number, number]
      redis.clock.observe(now)
      // A replica that takes over must know neither the spent one as live, nor a family that has ended.
      if (!replicated && (outcome === 'advanced' || outcome === 'replayed')) {
        throw new StoreUnavailable('redis', new Error('too few replicas have it'))
      }
      if (outcome !== 'late') return { outcome, generation: reached }
      // Called late although there is time left: the store's date has jumped, and now we know it.
      if (performance.now() - started >= within) {
        throw new StoreUnavailable('redis', new Error('the command came too late'))
      }
    }
  }

  return {
    create: async (familyId, generation, lifetime) =>
      (await redis.run(create, keyOf(familyId), generation, lifetime * 1000)) === 1,
    advance: (familyId, generation, nonce, retryWindow) =>
      step(familyId, generation, nonce, retryWindow, true),
    probe: (familyId, generation, retryWindow) =>
      step(familyId, generation, '', retryWindow, false),
    live: async (familyId) => {
      const generation = await redis.run(live, keyOf(familyId))
      return generation === null ? null : Number(generation)
    },
    end: async (familyId) => {
      await redis.run(end, keyOf(familyId))
    },
  }
}
