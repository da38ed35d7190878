// What lives here: the live state in Redis. One Lua script for each state change, one key for each script.
import { StoreUnavailable } from '../../domain/errors.ts'
import { createStoreClock, type StoreClock } from '../store-clock.ts'
import { countKeys, createDriver } from './driver.ts'
import { type RedisWarning, redisWarnings } from './durability.ts'

export interface RedisConnection {
  /** Runs a script on one key. @throws StoreUnavailable when Redis is away, stalled, full or read-only */
  run(script: Script, key: string, ...args: (string | number)[]): Promise<unknown>
  /**
   * Runs a script that writes, and waits a while for the replicas to have what it wrote.
   * @returns also whether as many have it as were asked for
   * @throws StoreUnavailable
   */
  write(script: Script, key: string, ...args: (string | number)[]): Promise<Written>
  clock: StoreClock
  /** Milliseconds after which a command's caller is told that Redis is away. */
  timeout: number
  ping(): Promise<void>
  /** How many keys there are. */
  size(): Promise<number>
  close(): Promise<void>
}

export interface Written {
  reply: unknown
  replicated: boolean
}

/** A Lua script under the name by which it is called. */
export interface Script {
  name: string
  lua: string
}

export interface RedisOptions {
  url: string
  timeout: number
  /** Replicas that must have a rotation before it is told; 0: none. */
  replicas?: number
  onError(error: Error): void
  /** @param failed Redis was away, stalled, full or read-only */
  onRoundTrip?(seconds: number, failed: boolean): void
  /** After each connection: what is wrong with how the server keeps things; empty when nothing is. */
  onWarnings?(warnings: RedisWarning[]): void
}

type Command = (key: string, ...args: (string | number)[]) => Promise<unknown>

/**
 * Connects and learns the store's time. Nothing is queued while Redis is away: a caller hears of it at once.
 * A command whose reply was lost is sent again after the reconnect; scripts that spend something are
 * idempotent by nonce and refuse to run past their deadline.
 */
export const connectRedis = async (options: RedisOptions): Promise<RedisConnection> => {
  const redis = createDriver(options.url, options.timeout)
  redis.on('error', options.onError)
  const clock = createStoreClock()
  const learnTime = async () => {
    const [seconds, micros] = await redis.time()
    clock.observe(Number(seconds) * 1000 + Math.floor(Number(micros) / 1000))
  }
  const learnSettings = async () => options.onWarnings?.(await redisWarnings(redis))
  redis.on('ready', () => {
    void learnTime().catch(options.onError)
    // Of another server after a failover; one that says nothing of itself (INFO forbidden) is taken as it is.
    void learnSettings().catch(() => undefined)
  })

  const guard = async <Result>(work: () => Promise<Result>) => {
    const began = performance.now()
    let failed = true
    try {
      const result = await work()
      failed = false
      return result
    } catch (cause) {
      throw new StoreUnavailable('redis', cause)
    } finally {
      options.onRoundTrip?.((performance.now() - began) / 1000, failed)
    }
  }

  // The first connection may fail: the server starts, reports not ready, and ioredis keeps trying.
  await redis.connect().then(learnTime).catch(options.onError)

  const defined = redis as unknown as Record<string, Command | undefined>
  const run: RedisConnection['run'] = (script, key, ...args) => {
    if (!defined[script.name])
      redis.defineCommand(script.name, { numberOfKeys: 1, lua: script.lua })
    return guard(() => (defined[script.name] as Command).call(redis, key, ...args))
  }

  const asked = options.replicas ?? 0
  /** Both at once: WAIT speaks of what was written on its own connection, and knows nothing of another. */
  const evalAndWait = async (lua: string, key: string, args: (string | number)[]) => {
    const longest = Math.ceil(options.timeout / 2)
    const pair = redis.pipeline().eval(lua, 1, key, ...args)
    const [script, wait] = (await pair.wait(asked, longest).exec()) ?? []
    return { error: script?.[0] ?? wait?.[0], reply: script?.[1], have: Number(wait?.[1]) }
  }

  return {
    run,
    write: async (script, key, ...args) => {
      if (asked === 0) return { reply: await run(script, key, ...args), replicated: true }
      return guard(async () => {
        let answer = await evalAndWait(script.lua, key, args)
        if (answer.error?.message.startsWith('MOVED')) {
          // A single command is led to where the key is now, and the next pair goes there at once.
          await redis.exists(key)
          answer = await evalAndWait(script.lua, key, args)
        }
        if (answer.error) throw answer.error
        return { reply: answer.reply, replicated: answer.have >= asked }
      })
    },
    clock,
    timeout: options.timeout,
    ping: () => guard(async () => void (await redis.ping())),
    size: () => guard(() => countKeys(redis)),
    close: async () => {
      await redis.quit().catch(() => redis.disconnect())
    },
  }
}
