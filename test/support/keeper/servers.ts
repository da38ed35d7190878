/** The store servers of one run, each started when a test first needs it. */
import { randomBytes } from 'node:crypto'
import { findPackage } from '../../../src/stores/embedded/package.ts'
import type { BackendName } from '../backends.ts'
import { databaseUrl } from '../database-url.ts'
import { startTestPostgres } from '../embedded-postgres.ts'
import { findRedis, startRedis } from '../private-redis.ts'
import { findSystemPostgres, startSystemPostgres } from '../system-postgres.ts'
import { type PostgresDatabases, postgresDatabases } from './postgres-databases.ts'
import type { Backends, Content, Lease } from './protocol.ts'
import { type RedisDatabases, redisDatabases } from './redis-databases.ts'
import type { RunRecord } from './run-record.ts'

export interface Servers {
  backends: Backends
  lease(backend: BackendName, content: Content): Promise<Lease>
  drop(id: string): Promise<void>
  /** Closes the connections and stops the packaged Postgres; the other servers keep running. */
  close(): Promise<void>
}

/**
 * @param note records each started server, so that it can be stopped even if this process is killed
 */
export const testServers = async (
  directory: string,
  note: (started: Partial<RunRecord>) => void,
): Promise<Servers> => {
  const [hasPackage, bin] = await Promise.all([isPackaged(), findSystemPostgres()])
  const redisProgram = findRedis()
  const leases = new Map<string, Lease & { backend: BackendName }>()

  const embedded = once(async () => {
    note({ hasEmbedded: true })
    const { connection, stop } = await startTestPostgres(directory)
    const databases = await postgresDatabases(databaseUrl(connection))
    const close = async () => {
      await databases.close()
      // An own lease would keep the server running when it is stopped by its directory.
      await stop()
      note({ hasEmbedded: false })
    }
    return { ...databases, close }
  })
  const system = once(async () => {
    const server = await startSystemPostgres(bin as string, directory)
    note({ postgres: server })
    return postgresDatabases(server.url)
  })
  const redis = once(async () => {
    const server = await startRedis(redisProgram as string, directory)
    note({ redis: server })
    return redisDatabases(server)
  })
  const postgresOf = (backend: BackendName): Promise<PostgresDatabases> =>
    backend === 'servers' && bin ? system() : embedded()

  return {
    backends: {
      available: [
        ...(hasPackage ? (['embedded'] as const) : []),
        ...(redisProgram && (bin || hasPackage) ? (['servers'] as const) : []),
      ],
      warnings: [
        ...(hasPackage ? [] : ['the packaged Postgres, there is none for this platform']),
        ...(bin ? [] : ['a Postgres server over TCP, no initdb and pg_ctl are installed']),
        ...(redisProgram ? [] : ['Redis, no redis-server is installed']),
      ],
    },
    lease: async (backend, content) => {
      const [postgres, live] = await Promise.all([
        postgresOf(backend),
        backend === 'servers' ? redis() : null,
      ])
      const database = await postgres.create(content)
      const id = randomBytes(8).toString('hex')
      const lease = { id, ...database, redisUrl: live?.take() ?? null }
      leases.set(id, { ...lease, backend })
      return lease
    },
    drop: async (id) => {
      const lease = leases.get(id)
      if (!lease) return
      leases.delete(id)
      const { backend, redisUrl } = lease
      await Promise.all([
        postgresOf(backend).then((postgres) => postgres.drop(lease.databaseUrl)),
        redisUrl && redis().then((live) => live.release(redisUrl)),
      ])
    },
    close: async () => {
      const opened = [embedded, system, redis].flatMap(({ begun }) => begun() ?? [])
      const settled = await Promise.allSettled<PostgresDatabases | RedisDatabases>(opened)
      await Promise.allSettled(
        settled.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)),
      )
    },
  }
}

const isPackaged = () =>
  findPackage().then(
    () => true,
    () => false,
  )

/** Runs the work once, on the first call. */
const once = <Result>(work: () => Promise<Result>) => {
  let result: Promise<Result> | undefined
  const done = () => (result ??= work())
  return Object.assign(done, { begun: () => result })
}
