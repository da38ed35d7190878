import { randomText } from '../../core/crypto/random.ts'
import type { Advance, FamilyStore } from '../../core/grants/families.ts'
import { liveGeneration } from '../../core/grants/unsettled-rules.ts'
import { StoreUnavailable } from '../../core/language/errors.ts'
import type { RedisConnection, Script } from './connection.ts'

// A family is one small hash: g is the live generation, n the nonce of the request that advanced it, t the time (ms).
// Nothing in it can be used as a token. After a replay has ended the family, e holds the nonce of that request for a
// moment. x holds nonces of unsettled requests that a later request has displaced (decision 0050); most families have
// none.
const keyOf = (familyId: string) =>
  `lk:f:{${Buffer.from(familyId.replaceAll('-', ''), 'hex').toString('base64url')}}`

const create: Script = {
  name: 'latchkeyFamilyCreate',
  lua: `
if redis.call('HGET', KEYS[1], 'g') then return 0 end
redis.call('HSET', KEYS[1], 'g', ARGV[1])
if ARGV[2] ~= '0' then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1`,
}

// RFC 9700 §4.14.2: a replay of any consumed generation ends the family. The deadline is checked first: a command
// that runs after its caller has given up (a server that was stopped and continued) must neither consume nor end
// anything. Neither may one that too few replicas would confirm. A repeated command whose reply was lost gets the
// same reply, deadline or not; so 'late' means that the request has not run and never will.
const advance: Script = {
  name: 'latchkeyFamilyAdvance',
  lua: `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local presented, nonce, window = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
local deadline, spend, replicas = tonumber(ARGV[4]), ARGV[5] == '1', tonumber(ARGV[6])
local unsettled = ARGV[8]
local function has(list, one)
  return list and one and list ~= '' and string.find(' ' .. list .. ' ', ' ' .. one .. ' ', 1, true) ~= nil
end
local function excuse()
  if unsettled == '' then return end
  local known = redis.call('HGET', KEYS[1], 'x')
  local all = (known or '') .. string.gsub(' ' .. unsettled .. ' ', ' moving ', ' ') -- shared by all moves of a token
  redis.call('HSET', KEYS[1], 'x', string.sub(all, -1024))
end
local family = redis.call('HMGET', KEYS[1], 'g', 'n', 't', 'e')
local live = family[1] and tonumber(family[1])
local ran = live and presented == live - 1 and spend and family[2] == nonce
if now > deadline and not ran then return {'late', 0, now} end
if replicas > 0 then
  local _, online = string.gsub(redis.call('INFO', 'replication'), 'state=online', '')
  if online < replicas then return {'alone', 0, now} end
end
if not live then
  if family[4] ~= nonce and not has(unsettled, family[4]) then return {'absent', 0, now} end
  redis.call('PEXPIRE', KEYS[1], ARGV[7]) -- as with n below
  return {'replayed', presented, now}
end
if presented == live then
  if not spend then return {'live', live, now} end
  redis.call('HSET', KEYS[1], 'g', live + 1, 'n', nonce, 't', now)
  redis.call('PERSIST', KEYS[1])
  excuse()
  return {'advanced', live + 1, now}
end
if ran then
  redis.call('HSET', KEYS[1], 'n', nonce) -- so that who waits for replicas waits for what was written before
  return {'advanced', live, now}
end
if presented == live - 1 and has(unsettled, family[2]) then
  -- An unsettled request has advanced the family and its caller was not given the successor: this caller is.
  if not spend then return {'live', live, now} end
  redis.call('HSET', KEYS[1], 'n', nonce, 't', now)
  excuse()
  return {'advanced', live, now}
end
if presented == live - 1 and presented > 0 and window > 0 and now < tonumber(family[3] or 0) + window then
  return {spend and 'repeated' or 'live', live, now}
end
if has(redis.call('HGET', KEYS[1], 'x'), nonce) then return {'excused', 0, now} end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'e', nonce)
redis.call('PEXPIRE', KEYS[1], ARGV[7])
return {'replayed', live, now}`,
}

type AdvanceOutcome = Advance['outcome'] | 'late' | 'alone' | 'excused'

const live: Script = {
  name: 'latchkeyFamilyLive',
  lua: `return redis.call('HMGET', KEYS[1], 'g', 'n')`,
}
const end: Script = { name: 'latchkeyFamilyEnd', lua: `return redis.call('DEL', KEYS[1])` }

export const createFamilyStore = (redis: RedisConnection): FamilyStore => {
  // Earlier than the caller's timeout, so that the reply to a late command still arrives in time.
  const within = redis.timeout * 0.8

  const step = async (
    familyId: string,
    generation: number,
    nonce: string,
    retryWindow: number,
    spend: boolean,
    unsettled: readonly string[],
  ): Promise<Advance> => {
    const started = performance.now()
    for (;;) {
      const reply = await redis.write(
        advance,
        keyOf(familyId),
        // A replica that becomes primary must neither treat a consumed generation as live, nor an ended family.
        (said) => ['advanced', 'replayed'].includes((said as string[])[0] as string),
        generation,
        nonce,
        retryWindow * 1000,
        redis.clock.deadline(within),
        spend ? 1 : 0,
        redis.replicas,
        redis.timeout,
        unsettled.join(' '),
      )
      const [outcome, reached, now] = reply as [AdvanceOutcome, number, number]
      redis.clock.observe(now)
      if (outcome === 'alone')
        throw new StoreUnavailable('redis', new Error('too few replicas are connected'))
      if (outcome === 'excused')
        throw new StoreUnavailable('redis', new Error('a later request has displaced it'), false)
      if (outcome !== 'late') return { outcome, generation: reached }
      // Late although there is time left: the store's clock has jumped, and the reply has corrected our copy of it.
      if (performance.now() - started >= within) {
        throw new StoreUnavailable('redis', new Error('the command arrived too late'), false)
      }
    }
  }

  return {
    create: async (familyId, generation, lifetime) =>
      (await redis.run(create, keyOf(familyId), generation, (lifetime ?? 0) * 1000)) === 1,
    advance: (familyId, generation, nonce, retryWindow, unsettled = []) =>
      step(familyId, generation, nonce, retryWindow, true, unsettled),
    probe: (familyId, generation, retryWindow, unsettled = []) =>
      step(familyId, generation, randomText(9), retryWindow, false, unsettled),
    live: async (familyId, unsettled = null) => {
      type Found = [generation: string | null, nonce: string | null]
      const [generation, nonce] = await redis.run<Found>(live, keyOf(familyId))
      return generation === null ? null : liveGeneration(Number(generation), nonce, unsettled)
    },
    end: (familyId) => redis.run(end, keyOf(familyId)),
  }
}
