import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { freePort } from './free-port.ts'
import { masterKey, operatorAt, operatorToken, type Running } from './latchkey.ts'

/** A server as operators start it: `node dist/program/main.js serve`, in a process of its own. */
export interface ServerProcess extends Pick<Running, 'operator'> {
  url: string
  issuer: string
  child: ChildProcess
  /** Its whole output. */
  log(): string
  signal(name: NodeJS.Signals): void
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

export interface ServerSettings {
  stores: { databaseUrl: string; redisUrl: string | null }
  environment?: Record<string, string>
  /** A prefix of the command line: `faketime`, a shell with limits. */
  launcher?: string[]
  port?: number
  /** The Node binary that runs it, if another than the test's. */
  node?: string
  /** Its command line, if another than the built one. */
  program?: string
}

/** For tests that send many requests from one address. */
export const unlimited = Object.fromEntries([
  ['GRANTS_PER_USER_AND_APP', '10000'],
  ...[
    'CLIENT_FAILURES',
    'SIGN_IN_FAILURES',
    'SIGN_INS',
    'SIGN_INS_PER_ADDRESS',
    'AUTHORIZATIONS',
    'GRANTS',
    'PAGE_POSTS',
  ].map((name) => [`LIMIT_${name}`, '1000000']),
])

const builtProgram = join(import.meta.dirname, '../../dist/program/main.js')

const urlAt = (port: number) => `http://127.0.0.1:${port}`

const environmentOf = ({ stores, environment }: ServerSettings, port: number) => ({
  PATH: process.env.PATH,
  DATABASE_URL: stores.databaseUrl,
  ...(stores.redisUrl && { REDIS_URL: stores.redisUrl }),
  LATCHKEY_MASTER_KEY: masterKey,
  LATCHKEY_OPERATOR_TOKEN: operatorToken,
  PORT: String(port),
  ISSUER: urlAt(port),
  // A busy machine must not look like an overload or an unavailable store; tests of those set their
  // own values.
  MAX_EVENT_LOOP_DELAY_MS: '60000',
  STORE_TIMEOUT_MS: '5000',
  ...environment,
})

const mostPorts = 5
const isPortTaken = (error: unknown) => /\bis in use: set PORT\b/.test(String(error))

const startAt = async (t: Test, settings: ServerSettings, port: number): Promise<ServerProcess> => {
  const { launcher = [], node = process.execPath, program = builtProgram } = settings
  const [command, ...args] = [...launcher, node, program, 'serve']
  const child = spawn(command as string, args, {
    env: environmentOf(settings, port),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += chunk
      if (process.env.LATCHKEY_TEST_LOG) process.stderr.write(chunk)
    })
  }
  const closed = once(child, 'close') // All output has arrived.
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }))
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)
  t.teardown(async () => {
    process.off('exit', killNow)
    killNow()
    await ended
  })
  while (!said.includes('"msg":"listening"')) {
    if (child.exitCode !== null) {
      await closed
      throw new Error(`the server does not start: ${said}`)
    }
    await sleep(20)
  }
  const url = urlAt(port)
  return {
    url,
    issuer: settings.environment?.ISSUER ?? url,
    child,
    log: () => said,
    signal: (name) => void child.kill(name),
    ended,
    operator: operatorAt(url),
  }
}

/** Starts one and waits until it listens. */
export const startServerProcess = async (
  t: Test,
  settings: ServerSettings,
): Promise<ServerProcess> => {
  if (!existsSync(builtProgram)) throw new Error('nothing is built to be started: npm run build')
  if (settings.port !== undefined) return startAt(t, settings, settings.port)
  // It takes seconds until the server listens, and another process may take the port meanwhile.
  for (let tries = 1; ; tries++) {
    try {
      return await startAt(t, settings, await freePort())
    } catch (error) {
      if (tries === mostPorts || !isPortTaken(error)) throw error
    }
  }
}
