/** A test process's connection to the keeper of its run, which is started if there is none. */
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BackendName } from '../backends.ts'
import { loader } from '../typescript/loader.ts'
import { isAlive } from './is-alive.ts'
import type { Answer, Backends, BrowserProgram, Content, Lease, Request } from './protocol.ts'
import { folder, lockOf, logOf, readRecord, thisRun } from './run-record.ts'
import { connectTo } from './socket.ts'

const patienceMs = 60_000
const pollMs = 20
const program = join(import.meta.dirname, 'keeper.ts')

export const askBackends = (): Promise<Backends> => ask({ ask: 'backends' })
export const askDatabase = (backend: BackendName, content: Content): Promise<Lease> =>
  ask({ ask: 'database', backend, content })
export const askBrowser = (program: BrowserProgram): Promise<string> =>
  ask({ ask: 'browser', program })
export const release = (lease: string): Promise<void> => ask({ ask: 'drop', lease })

interface Connection {
  socket: Socket
  waiting: Map<number, (answer: Answer) => void>
}

let connection: Promise<Connection> | undefined
let counter = 0

async function ask<Result>(request: Request): Promise<Result> {
  connection ??= connect()
  const { socket, waiting } = await connection
  const id = ++counter
  socket.ref()
  const answer = await new Promise<Answer>((resolve) => {
    waiting.set(id, resolve)
    socket.write(`${JSON.stringify({ id, ...request })}\n`)
  })
  waiting.delete(id)
  // An open connection alone must not keep this process alive.
  if (waiting.size === 0) socket.unref()
  if ('error' in answer) throw new Error(answer.error)
  return answer.ok as Result
}

async function connect(): Promise<Connection> {
  const socket = await findKeeper(thisRun())
  const waiting: Connection['waiting'] = new Map()
  socket.unref()
  createInterface(socket)
    .on('line', (line) => {
      const { id, ...answer } = JSON.parse(line)
      waiting.get(id)?.(answer)
    })
    .on('close', () => {
      for (const answer of waiting.values())
        answer({ error: 'the keeper of the test servers has ended' })
    })
  return { socket, waiting }
}

async function findKeeper(runner: number): Promise<Socket> {
  mkdirSync(folder, { recursive: true })
  const deadline = Date.now() + patienceMs
  while (Date.now() < deadline) {
    const record = readRecord(runner)
    const socket = record && (await connectTo(record.socket))
    if (socket) return socket
    if (takeLock(runner)) startKeeper(runner)
    await sleep(pollMs)
  }
  throw new Error(`the test servers do not start, see ${logOf(runner)}`)
}

/**
 * A lock file names the process that starts the keeper, then the keeper itself; without that
 * process it is void.
 */
function takeLock(runner: number): boolean {
  try {
    writeFileSync(lockOf(runner), String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  try {
    const holder = Number(readFileSync(lockOf(runner), 'utf8'))
    if (holder > 0 && !isAlive(holder)) rmSync(lockOf(runner), { force: true })
  } catch {
    // Just removed.
  }
  return false
}

function startKeeper(runner: number): void {
  const log = openSync(logOf(runner), 'w')
  const child = spawn(process.execPath, [...loader, program, String(runner)], {
    detached: true,
    stdio: ['ignore', log, log],
    cwd: '/',
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR },
  })
  closeSync(log)
  child.unref()
  writeFileSync(lockOf(runner), String(child.pid))
}
