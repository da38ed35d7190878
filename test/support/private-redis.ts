import { execFileSync, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'
import type { PrivateRedis } from './run-record.ts'

/** One per test file that runs; number 0 keeps the set of the free ones. */
const databases = 256
export const freeDatabases = 'free-databases'
const attempts = 5

export function findRedis(): string | null {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'pipe' })
    return 'redis-server'
  } catch {
    return null
  }
}

/** A private server that keeps nothing on disk, on a free port of 127.0.0.1. */
export async function startRedis(program: string, directory: string): Promise<PrivateRedis> {
  const home = join(directory, 'redis')
  const socket = join(home, 'socket')
  await mkdir(home)
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const port = await freePort()
    const log = openSync(join(home, 'log'), 'a')
    const address = ['--port', String(port), '--bind', '127.0.0.1', '--unixsocket', socket]
    const storage = ['--save', '', '--appendonly', 'no', '--dir', home]
    const args = [...address, ...storage, '--databases', String(databases)]
    const child = spawn(program, args, { detached: true, stdio: ['ignore', log, log] })
    child.unref()
    while (child.exitCode === null) {
      if (await seed(socket)) {
        return { url: `redis://127.0.0.1:${port}`, socket, databases }
      }
      await sleep(10)
    }
  }
  throw new Error(`redis-server does not start, see ${home}/log`)
}

export async function stopRedis({ socket }: PrivateRedis): Promise<void> {
  // The server closes the connection, and ioredis would wait 2 s for one that is closed already.
  await connect(socket)
    .shutdown('NOSAVE')
    .catch(() => {})
}

async function seed(socket: string): Promise<boolean> {
  const client = connect(socket)
  try {
    await client.connect()
    await client.sadd(freeDatabases, ...Array.from({ length: databases - 1 }, (_, i) => i + 1))
    client.disconnect()
    return true
  } catch {
    return false
  }
}

function connect(socket: string): Redis {
  const client = new Redis(socket, { lazyConnect: true, retryStrategy: () => null })
  client.on('error', () => {})
  return client
}
