import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { type RedisAddress, readRedisUrl } from './address.ts'
import { slotOf } from './slot.ts'

const retryStrategy = (attempt: number) => Math.min(attempt * 50, 1000)

type Options = Omit<RedisOptions, 'replyMapping'>

const withoutNulls = <Value extends object>(value: Value) =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null)) as {
    [Name in keyof Value]?: Exclude<Value[Name], null>
  }

const create = (address: RedisAddress, options: Options): Redis | Cluster => {
  if (address.kind === 'server')
    return new Redis(address.url, { ...options, lazyConnect: true, retryStrategy })
  const { hosts, username, password, tls } = address
  const login = withoutNulls({ username, password, tls: tls ? {} : null })
  if (address.kind === 'cluster') {
    return new Cluster(hosts, {
      lazyConnect: true,
      enableOfflineQueue: false,
      clusterRetryStrategy: retryStrategy,
      // Keeps host names, which the certificate has; the cluster itself reports the addresses of its nodes.
      dnsLookup: (host, done) => done(null, host),
      redisOptions: { ...options, ...login },
    })
  }
  const { name, database, sentinelPassword } = address
  return new Redis({
    ...options,
    ...login,
    ...withoutNulls({ sentinelPassword, sentinelTLS: tls ? {} : null }),
    enableTLSForSentinelMode: tls,
    sentinels: hosts,
    name,
    db: database,
    lazyConnect: true,
    retryStrategy,
    sentinelRetryStrategy: retryStrategy,
  })
}

/**
 * A client that queues nothing while Redis is unavailable, and reconnects until it is back.
 * @param timeout milliseconds
 */
export const createDriver = (url: string, timeout: number): Redis | Cluster => {
  const address = readRedisUrl(url)
  if (!address) throw new Error('REDIS_URL is not a Redis URL')
  return create(address, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: timeout,
    connectTimeout: timeout,
    // After a failover the address leads to another server, but the old server would keep this connection open.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    connectionName: 'latchkey',
  })
}

/** The primary nodes; each node of a cluster has keys and settings of its own. */
export const primaryNodes = (redis: Redis | Cluster): Redis[] =>
  redis instanceof Cluster ? redis.nodes('master') : [redis]

const keysTried = 100

/** A key for each node that has one of the first hundred; a node has none only with very few slots. */
export const keysOnAllNodes = (redis: Redis | Cluster, name: string): string[] => {
  if (!(redis instanceof Cluster)) return [name]
  const keys = Array.from({ length: keysTried }, (_, at) => `${name}:${at}`)
  return [...new Map(keys.map((key) => [redis.slots[slotOf(key)]?.[0], key])).values()]
}

export const countKeys = async (redis: Redis | Cluster): Promise<number> => {
  const counts = await Promise.all(primaryNodes(redis).map((node) => node.dbsize()))
  return counts.reduce((sum, one) => sum + one, 0)
}
