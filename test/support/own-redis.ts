import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Test } from 'tap'
import { freePort } from './free-port.ts'
import { findRedis } from './private-redis.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** A Redis for one test, which writes every change to disk and may be stopped at any time. */
export interface OwnRedis {
  url: string
  port: number
  pid(): number
  /** Whether it runs. */
  isUp(): boolean
  /** Freezes the process (SIGSTOP); its connections stay open. */
  freeze(): void
  thaw(): void
  /** Kills it, like a power cut. */
  kill(): Promise<void>
  /** Starts it again on its port, with the data on disk. */
  start(): Promise<void>
}

export const noRedis = findRedis() === null && { skip: 'no redis-server is installed' }

const answers = async (port: number) => {
  const client = new Redis(port, { lazyConnect: true, retryStrategy: () => null })
  client.on('error', () => {})
  const pong = await client.connect().then(
    () => client.ping(),
    () => null,
  )
  client.disconnect()
  return pong === 'PONG'
}

/** The process, once it serves; null if it exited instead. */
const spawnRedis = async (
  port: number,
  directory: string,
  sync: string,
): Promise<ChildProcess | null> => {
  const storage = ['--save', '', '--appendonly', 'yes', '--appendfsync', sync]
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, ...storage]
  // A file size limit must cause an error, not a fatal signal.
  const ignoring = ['-c', `trap '' XFSZ; exec redis-server "$@"`, 'redis-server', ...args]
  const child = spawn('sh', ignoring, { stdio: 'ignore' })
  while (child.exitCode === null) {
    if (await answers(port)) return child
    await sleep(10)
  }
  return null
}

/** @param where a directory that the caller removes, and when the append-only file is synced */
export const startOwnRedis = async (
  t: Test,
  where: { directory?: string; sync?: 'always' | 'everysec' } = {},
): Promise<OwnRedis> => {
  const directory = where.directory ?? (await temporaryDirectory('own-redis'))
  const sync = where.sync ?? 'always'
  let port = await freePort()
  let child = await spawnRedis(port, directory, sync)
  for (let tries = 0; child === null && tries < 5; tries++) {
    port = await freePort()
    child = await spawnRedis(port, directory, sync)
  }
  const running = () => {
    if (!child) throw new Error('redis-server does not start')
    return child
  }
  const killNow = () => child?.kill('SIGKILL')
  const kill = async () => {
    const ended = once(running(), 'exit')
    killNow()
    await ended
  }
  running()
  process.once('exit', killNow)
  t.teardown(async () => {
    process.off('exit', killNow)
    if (child && child.exitCode === null && child.signalCode === null) await kill()
    if (!where.directory) await rm(directory, { recursive: true, force: true })
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: () => running().pid as number,
    isUp: () => child !== null && child.exitCode === null && child.signalCode === null,
    freeze: () => void running().kill('SIGSTOP'),
    thaw: () => void running().kill('SIGCONT'),
    kill,
    start: async () => {
      child = await spawnRedis(port, directory, sync)
      running()
    },
  }
}
