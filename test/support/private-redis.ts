import { execFileSync, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'
import type { PrivateRedis } from './keeper/run-record.ts'

/** One for each running test. */
const databases = 256
const attempts = 5

export function findRedis(): string | null {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'pipe' })
    return 'redis-server'
  } catch {
    return null
  }
}

/** A private server without persistence, on a free port of 127.0.0.1. */
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
      if (await answers(socket)) {
        return { url: `redis://127.0.0.1:${port}`, socket, databases }
      }
      await sleep(10)
    }
  }
  throw new Error(`redis-server does not start, see ${home}/log`)
}

export async function stopRedis({ socket }: PrivateRedis): Promise<void> {
  // The server closes the connection; ioredis would wait 2 s for a connection that is closed
  // already.
  await connect(socket)
    .shutdown('NOSAVE')
    .catch(() => {})
}

async function answers(socket: string): Promise<boolean> {
  const client = connect(socket)
  return client
    .connect()
    .then(
      () => true,
      () => false,
    )
    .finally(() => client.disconnect())
}

function connect(socket: string): Redis {
  const client = new Redis(socket, { lazyConnect: true, retryStrategy: () => null })
  client.on('error', () => {})
  return client
}
