/**
 * A process that keeps the store servers and the browser of one run: `node keeper.ts <runner>`. It starts a server when a test first
 * needs it, gives each test a database of its own, and ends with the runner, however that ends: then it stops the
 * servers and removes their files.
 */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashCheaply } from '../cheap-hashes.ts'
import { fastDirectory, temporaryDirectory } from '../temporary-directory.ts'
import { sharedBrowsers } from './browsers.ts'
import { isAlive } from './is-alive.ts'
import type { Answer, Backends, Lease, Request } from './protocol.ts'
import { type RunRecord, readRecord, recordedRuns, writeRecord } from './run-record.ts'
import { type Servers, testServers } from './servers.ts'
import { canConnect } from './socket.ts'
import { stopRun } from './stop-run.ts'

const pollMs = 200
const runner = Number(process.argv[2])

// A run whose keeper was killed: no other process stops its servers.
for (const other of recordedRuns()) {
  const found = readRecord(other)
  if (found && !(await canConnect(found.socket))) await stopRun(other, found)
}

// The people of the world sign in hundreds of times.
hashCheaply(true)

const directory = await temporaryDirectory('test', await fastDirectory())
const record: RunRecord = { directory, socket: join(directory, 'keeper') }
const servers = await testServers(directory, (started) => {
  Object.assign(record, started)
  writeRecord(runner, record)
})
const browsers = sharedBrowsers()
const listener = createServer((socket) => serve(socket, servers)).listen(record.socket)
await once(listener, 'listening')
writeRecord(runner, record)

let isAsked = false
process.on('SIGTERM', () => {
  isAsked = true
})
while (!isAsked && isAlive(runner)) await sleep(pollMs)
listener.close()
await Promise.allSettled([servers.close(), browsers.close()])
await stopRun(runner, record)
process.exit()

/** Serves one test process, and drops its databases when it exits. */
function serve(socket: Socket, servers: Servers): void {
  const held = new Set<string>()
  socket.on('error', () => {}) // 'close' follows
  createInterface(socket).on('line', async (line) => {
    const { id, ...request } = JSON.parse(line)
    const answer = await handle(request, held).then(
      (ok): Answer => ({ ok }),
      (error): Answer => ({ error: String(error.stack) }),
    )
    socket.write(`${JSON.stringify({ id, ...answer })}\n`)
  })
  socket.on('close', async () => {
    for (const id of held) await servers.drop(id).catch(() => {})
  })
}

async function handle(
  request: Request,
  held: Set<string>,
): Promise<Backends | Lease | string | null> {
  if (request.ask === 'browser') return browsers.open(request.program)
  if (request.ask === 'backends') {
    const { available, warnings } = servers.backends
    return { available, warnings: warnings.splice(0) }
  }
  if (request.ask === 'drop') {
    held.delete(request.lease)
    await servers.drop(request.lease)
    return null
  }
  const lease = await servers.lease(request.backend, request.content)
  held.add(lease.id)
  return lease
}
