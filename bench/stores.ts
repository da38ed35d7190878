import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { startEmbeddedPostgres } from '#dist/stores/embedded/launcher.js'

export interface BenchStores {
  databaseUrl: string
  redisUrl: string
  /** Redis' memory for data, in bytes. */
  redisMemory(): Promise<number>
  versions: Record<string, string>
  stop(): Promise<void>
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

const startRedis = async (directory: string) => {
  const port = await freePort()
  // As deploy/ recommends: an append-only file, and nothing is ever evicted.
  const durable = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', '']
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, ...durable]
  const child: ChildProcess = spawn('redis-server', args, { stdio: 'ignore' })
  const redis = new Redis(port, { maxRetriesPerRequest: null, retryStrategy: () => 50 })
  redis.on('error', () => undefined)
  await redis.ping()
  return { port, child, redis }
}

/** Starts a Redis and the packaged Postgres, both empty and nobody else's. */
export const startStores = async (): Promise<BenchStores> => {
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-bench-'))
  const { port, child, redis } = await startRedis(directory)
  const postgres = await startEmbeddedPostgres({
    directory: join(directory, 'postgres'),
    log: () => undefined,
  })
  const { host, port: pgPort, user, database } = postgres.connection
  const query = new URLSearchParams({ host, port: String(pgPort) })
  return {
    databaseUrl: `postgres://${user}@/${database}?${query}`,
    redisUrl: `redis://127.0.0.1:${port}`,
    redisMemory: async () => {
      const info = await redis.info('memory')
      return Number(/used_memory_dataset:(\d+)/.exec(info)?.[1])
    },
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
