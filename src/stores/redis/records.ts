import { randomText } from '../../core/crypto/random.ts'
import type { CounterStore, ExpiringRecord, RecordStore } from '../../core/limits/records.ts'
import type { RedisConnection, Script } from './connection.ts'

const keyOf = (collection: string, key: string) => `lk:${collection}:{${key}}`

const put: Script = {
  name: 'latchkeyRecordPut',
  lua: `
redis.call('HSET', KEYS[1], 's', ARGV[1], 'v', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])`,
}

// A command without a reply is sent again. n is the nonce of the winning call, whose repetition wins too.
const insert: Script = {
  name: 'latchkeyRecordInsert',
  lua: `
if redis.call('HGET', KEYS[1], 's') then
  return redis.call('HGET', KEYS[1], 'n') == ARGV[4] and 1 or 0
end
redis.call('HSET', KEYS[1], 's', ARGV[1], 'v', ARGV[2], 'n', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`,
}

const find: Script = {
  name: 'latchkeyRecordFind',
  lua: `return redis.call('HMGET', KEYS[1], 's', 'v')`,
}

const change: Script = {
  name: 'latchkeyRecordChange',
  lua: `
local record = redis.call('HMGET', KEYS[1], 's', 'n')
if record[2] == ARGV[4] then return 1 end
if record[1] ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 's', ARGV[2], 'v', ARGV[3], 'n', ARGV[4])
return 1`,
}

// A taken record stays for a moment, visible only to the call that took it: its reply may have been lost.
const take: Script = {
  name: 'latchkeyRecordTake',
  lua: `
local record = redis.call('HMGET', KEYS[1], 's', 'v', 't', 'ts', 'tv')
if not record[1] then
  if record[3] == ARGV[1] then return {record[4], record[5]} end
  return {false, false}
end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 't', ARGV[1], 'ts', record[1], 'tv', record[2])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {record[1], record[2]}`,
}

const remove: Script = { name: 'latchkeyRecordDelete', lua: `return redis.call('DEL', KEYS[1])` }

const hit: Script = {
  name: 'latchkeyCounterHit',
  lua: `
local by = tonumber(ARGV[1])
if by == 0 then return {tonumber(redis.call('GET', KEYS[1]) or 0), redis.call('PTTL', KEYS[1])} end
if by < 0 and redis.call('EXISTS', KEYS[1]) == 0 then return {0, -2} end
local count = redis.call('INCRBY', KEYS[1], by)
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return {count, redis.call('PTTL', KEYS[1])}`,
}

const recordOf = (reply: unknown): ExpiringRecord | null => {
  const [state, value] = reply as [string | null, string | null]
  return state === null || value === null ? null : { state, value }
}

export const createRecordStore = (redis: RedisConnection): RecordStore => {
  const written = ({ state, value }: ExpiringRecord, lifetime: number) =>
    [state, value, Math.ceil(lifetime * 1000)] as const
  return {
    put: (collection, key, record, lifetime) =>
      redis.run(put, keyOf(collection, key), ...written(record, lifetime)),
    insert: async (collection, key, record, lifetime) => {
      const nonce = randomText(9)
      const values = written(record, lifetime)
      return (await redis.run(insert, keyOf(collection, key), ...values, nonce)) === 1
    },
    find: async (collection, key) => recordOf(await redis.run(find, keyOf(collection, key))),
    change: async (collection, key, from, { state, value }) => {
      const nonce = randomText(9)
      return (await redis.run(change, keyOf(collection, key), from, state, value, nonce)) === 1
    },
    take: async (collection, key) =>
      recordOf(await redis.run(take, keyOf(collection, key), randomText(9), redis.timeout)),
    delete: (collection, key) => redis.run(remove, keyOf(collection, key)),
  }
}

export const createCounterStore = (redis: RedisConnection): CounterStore => ({
  hit: async (key, by, window) => {
    const values = [by, window * 1000]
    const [count, left] = await redis.run<[number, number]>(hit, keyOf('n', key), ...values)
    return { count, resetsIn: left > 0 ? Math.ceil(left / 1000) : window }
  },
})
