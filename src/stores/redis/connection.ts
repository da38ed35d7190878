// Live state in Redis: one Lua script for each state change, one key for each script.
import { type Cluster, Redis } from 'ioredis'
import { StoreUnavailable } from '../../core/language/errors.ts'
import { createStoreClock, type StoreClock } from '../store-clock.ts'
import { countKeys, createDriver, keysOnAllNodes } from './driver.ts'
import { type RedisWarning, redisWarnings } from './durability.ts'
import { createReplicaWaiter } from './replicas.ts'

type Arguments = (string | number)[]

export interface RedisConnection {
  /** Runs a script on one key. @throws StoreUnavailable when Redis is unavailable, stalled, full or read-only */
  run<Reply>(script: Script, key: string, ...args: Arguments): Promise<Reply>
  /**
   * Runs a script; if it has written, waits until the configured number of replicas has the write.
   * @throws StoreUnavailable also when the replicas do not confirm in time, or are missing (then nothing was run)
   */
  write(
    script: Script,
    key: string,
    hasWritten: (reply: unknown) => boolean,
    ...args: Arguments
  ): Promise<unknown>
  /** Replicas that must confirm a `write`; 0: none. */
  replicas: number
  clock: StoreClock
  /** Milliseconds after which a command fails with StoreUnavailable. */
  timeout: number
  /** @throws StoreUnavailable also when it takes no writes: it is full, a replica, or cannot save */
  ping(): Promise<void>
  /** Number of keys. */
  size(): Promise<number>
  close(): Promise<void>
}

/** A Lua script, and the name of its command. */
export type Script = Record<'name' | 'lua', string>

export interface RedisOptions {
  url: string
  timeout: number
  /** Replicas that must confirm a rotation before the response; 0: none. */
  replicas?: number
  onError(error: Error): void
  /**
   * @param command name of the script or command
   * @param began performance.now()
   * @param failed Redis was unavailable, stalled, full or read-only
   */
  onRoundTrip?(command: string, began: number, failed: boolean): void
  /** Called after each connection and at intervals, with what is wrong with the persistence; empty: nothing. */
  onWarnings?(warnings: RedisWarning[]): void
  /** Milliseconds between two checks of the persistence. */
  lookEvery?: number
}

/** Counts up a number that serves for this alone, by commands that a full Redis refuses. */
const touch: Script = {
  name: 'latchkeyTouch',
  lua: `
redis.call('INCRBY', KEYS[1], 1)
return redis.call('PEXPIRE', KEYS[1], 60000)`,
}

type Command = (key: string, ...args: Arguments) => Promise<unknown>

/** Sends commands of the same tick in one write to the socket: a write costs more than the command itself. */
const writesTogether = (redis: ReturnType<typeof createDriver>) => {
  let held: Redis['stream'] | null = null
  return () => {
    // Each node of a cluster has a connection of its own.
    if (!(redis instanceof Redis) || !redis.stream || held === redis.stream) return
    const { stream } = redis
    held = stream
    stream.cork()
    process.nextTick(() => {
      held = null
      stream.uncork()
    })
  }
}

/** Waits for `work`, but only for so many milliseconds. */
const atMost = async (milliseconds: number, work: Promise<void>, onLate: () => void) => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  }).then(onLate)
  await Promise.race([work, late])
  clearTimeout(timer)
}

/**
 * Connects and reads the store's time. Nothing is queued while Redis is unavailable: the caller gets an error at
 * once. A command without a reply is sent again after the reconnect. Scripts with one winner are idempotent by nonce,
 * and scripts that consume something refuse to run past their deadline.
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
  // A server that does not report its settings (INFO forbidden) causes no warning.
  const look = () => void learnSettings().catch(() => undefined)
  redis.on('ready', () => {
    void learnTime().catch(options.onError)
    look() // after a failover it may be another server
  })
  const looking = setInterval(look, options.lookEvery ?? 60_000).unref()

  /** Nothing is queued: without a connection the command is not sent. */
  const isConnected = () =>
    !(redis instanceof Redis) || (redis.status === 'ready' && redis.stream?.writable === true)

  const guard = async <Result>(command: string, work: () => Promise<Result>) => {
    const began = performance.now()
    const isSent = isConnected()
    let failed = true
    try {
      const result = await work()
      failed = false
      return result
    } catch (cause) {
      throw new StoreUnavailable('redis', cause, isSent)
    } finally {
      options.onRoundTrip?.(command, began, failed)
    }
  }

  // The first connection may fail: the server starts anyway, reports not ready, and ioredis keeps trying. The promise
  // may also never settle: ioredis makes a new one while a cluster serves no node, and none while sentinels are
  // unavailable.
  const connected = redis.connect().then(learnTime).catch(options.onError)
  await atMost(options.timeout, connected, () =>
    options.onError(new Error('Redis did not connect in time')),
  )

  const holdWrites = writesTogether(redis)
  const call = (on: Redis | Cluster, { name, lua }: Script, key: string, args: Arguments) => {
    const defined = on as unknown as Record<string, Command | undefined>
    if (!defined[name]) on.defineCommand(name, { numberOfKeys: 1, lua })
    holdWrites()
    return (defined[name] as Command).call(on, key, ...args)
  }

  const replicas = options.replicas ?? 0
  const waiter = createReplicaWaiter(redis, replicas, options.timeout / 2)
  return {
    replicas,
    run: <Reply>(script: Script, key: string, ...args: Arguments) =>
      guard(script.name, () => call(redis, script, key, args) as Promise<Reply>),
    write: (script, key, hasWritten, ...args) =>
      guard(script.name, () =>
        replicas === 0
          ? call(redis, script, key, args)
          : waiter.write(key, (on) => call(on, script, key, args), hasWritten),
      ),
    clock,
    timeout: options.timeout,
    ping: () =>
      guard('ping', async () => {
        const keys = keysOnAllNodes(redis, 'lk:ready')
        await Promise.all(keys.map((key) => call(redis, touch, key, [])))
      }),
    size: () => guard('dbsize', () => countKeys(redis)),
    close: async () => {
      clearInterval(looking)
      await redis.quit().catch(() => redis.disconnect())
    },
  }
}
