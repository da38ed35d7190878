import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#dist/stores/embedded/launcher.js'
import { freePort } from './free-port.ts'
import { familyMicros, processUsage } from './process-usage.ts'

export interface StoresUsage {
  redis: number
  postgres: number
}

export interface BenchStores {
  databaseUrl: string
  redisUrl: string
  /** Bytes that Redis uses for keys and values, including its key tables. */
  redisMemory(): Promise<number>
  /** Makes Postgres write a checkpoint, so that it does not do so during a measurement. */
  settle(): Promise<void>
  /** CPU of both so far in µs; NaN where the system does not report it. */
  usage(): StoresUsage
  versions: Record<string, string>
  stop(): Promise<void>
}

const startRedis = async (directory: string) => {
  const port = await freePort()
  // As deploy/ recommends: an append-only file and no eviction.
  const durable = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', '']
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, ...durable]
  const child: ChildProcess = spawn('redis-server', args, { stdio: 'ignore' })
  const redis = new Redis(port, { maxRetriesPerRequest: null, retryStrategy: () => 50 })
  redis.on('error', () => undefined)
  await redis.ping()
  return { port, child, redis }
}

/** An answer of Redis that alternates names and values. */
const pairsOf = (flat: unknown[]): [string, unknown][] =>
  flat.flatMap((name, at) => (at % 2 === 0 ? [[String(name), flat[at + 1]]] : []))

const memoryOf = async (redis: Redis) => {
  const fields = await redis.call('MEMORY', 'STATS')
  const stats = new Map(pairsOf(fields as unknown[]))
  const database = new Map(pairsOf((stats.get('db.0') ?? []) as unknown[]))
  const tables = ['main', 'expires'].map((name) => database.get(`overhead.hashtable.${name}`) ?? 0)
  return [stats.get('dataset.bytes'), ...tables].reduce<number>((sum, one) => sum + Number(one), 0)
}

/** The parent process of all connections' processes. */
const postmasterOf = async (url: string) => {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const { parent } = processUsage(rows[0]?.pid ?? 0)
  await client.end()
  return parent
}

const gigabyte = 1024 ** 3

/**
 * Settings that Postgres' manual recommends for a loaded server: a quarter of the memory as cache (4 GB are enough for
 * the seeded data), and checkpoints by time, not by size. The packaged Postgres is configured for a small demo.
 */
const settings = {
  shared_buffers: `${Math.floor(Math.min(totalmem() / 4, 4 * gigabyte) / 1024 ** 2)}MB`,
  max_wal_size: '4GB',
}

const startPostgres = async (directory: string, own: Record<string, string>) => {
  const start = () => startEmbeddedPostgres({ directory, log: () => undefined })
  const urlOf = ({ host, port, user, database }: EmbeddedPostgres['connection']) =>
    `postgres://${user}@/${database}?${new URLSearchParams({ host, port: String(port) })}`
  const first = await start()
  const client = new pg.Client(urlOf(first.connection))
  await client.connect()
  for (const [name, value] of Object.entries({ ...settings, ...own }))
    await client.query(`alter system set ${name} = '${value}'`)
  await client.end()
  await first.stop()
  const postgres = await start()
  return { url: urlOf(postgres.connection), stop: postgres.stop }
}

/**
 * Starts a Redis and the packaged Postgres, both empty and unshared.
 * @param own further settings of Postgres
 */
export const startStores = async (own: Record<string, string> = {}): Promise<BenchStores> => {
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-bench-'))
  const { port, child, redis } = await startRedis(directory)
  const postgres = await startPostgres(join(directory, 'postgres'), own)
  const databaseUrl = postgres.url
  const postmaster = existsSync('/proc/self/stat') ? await postmasterOf(databaseUrl) : null
  return {
    databaseUrl,
    redisUrl: `redis://127.0.0.1:${port}`,
    redisMemory: () => memoryOf(redis),
    settle: async () => {
      const client = new pg.Client(databaseUrl)
      await client.connect()
      await client.query('checkpoint')
      await client.end()
    },
    usage: () => ({
      redis: postmaster === null ? Number.NaN : processUsage(child.pid as number).micros,
      postgres: postmaster === null ? Number.NaN : familyMicros(postmaster),
    }),
    versions: {
      node: process.version,
      redis:
        /v=([\d.]+)/.exec(execFileSync('redis-server', ['--version'], { encoding: 'utf8' }))?.[1] ??
        '?',
      postgres: 'packaged',
    },
    stop: async () => {
      redis.disconnect()
      child.kill('SIGKILL')
      await postgres.stop()
      await sleep(100)
      await rm(directory, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
