import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Test } from 'tap'
import { freePort } from './free-port.ts'
import { findRedis } from './private-redis.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** A Redis of one test's own, which writes every change to disk and may be stopped at will. */
export interface OwnRedis {
  url: string
  port: number
  /** Stops the process where it stands (SIGSTOP); its connections stay open. */
  freeze(): void
  thaw(): void
  /** Kills it as by a power cut. */
  kill(): Promise<void>
  /** Starts it again on its port, with what was on disk. */
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

/** The process, once it serves; null when it ended instead. */
const spawnRedis = async (port: number, directory: string): Promise<ChildProcess | null> => {
  const storage = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always']
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, ...storage]
  const child = spawn('redis-server', args, { stdio: 'ignore' })
  while (child.exitCode === null) {
    if (await answers(port)) return child
    await sleep(10)
  }
  return null
}

export const startOwnRedis = async (t: Test): Promise<OwnRedis> => {
  const directory = await temporaryDirectory('own-redis')
  let port = await freePort()
  let child = await spawnRedis(port, directory)
  for (let tries = 0; child === null && tries < 5; tries++) {
    port = await freePort()
    child = await spawnRedis(port, directory)
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
    await rm(directory, { recursive: true, force: true })
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    freeze: () => void running().kill('SIGSTOP'),
    thaw: () => void running().kill('SIGCONT'),
    kill,
    start: async () => {
      child = await spawnRedis(port, directory)
      running()
    },
  }
}
