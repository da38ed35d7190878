import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'
import { residentBytes } from './process-usage.ts'
import type { Seeded } from './seeded.ts'

/** The built server as operators start it, observed from outside. */
export interface Program {
  pid: number
  port: number
  /** Milliseconds from the start of the process until it was ready. */
  readyMs: number
  /** CPU of the process so far in ms. */
  cpuMs(): number
  /** Resident memory in bytes. */
  rss(): number
  stop(): Promise<void>
}

export const operatorToken = 'operator-token-of-the-benchmark'
export const metricsToken = 'metrics-token-of-the-benchmark'

const path = (name: string) => fileURLToPath(new URL(`../../dist/${name}`, import.meta.url))
/** What `npx --no latchkey` runs, and the same as separate modules. */
export const programs = { bundled: path('program/main.js'), modules: path('main.js') }

/** No limit for a load from one address with the accounts of a few users. */
const withoutLimits = Object.fromEntries(
  ['GRANTS', 'AUTHORIZATIONS', 'SIGN_INS', 'SIGN_INS_PER_ADDRESS', 'PAGE_POSTS'].map((name) => [
    `LIMIT_${name}`,
    '1000000',
  ]),
)

export const programEnvironment = ({ env }: Seeded, port: number): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  NODE_ENV: 'production',
  PORT: String(port),
  ISSUER: `http://127.0.0.1:${port}`,
  DATABASE_URL: env.BENCH_DATABASE_URL,
  REDIS_URL: env.BENCH_REDIS_URL,
  LATCHKEY_MASTER_KEY: env.BENCH_MASTER_KEY,
  LATCHKEY_OPERATOR_TOKEN: operatorToken,
  METRICS_TOKEN: metricsToken,
  // As in the image.
  NODE_OPTIONS: '--max-semi-space-size=8',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  ...withoutLimits,
})

const isReady = (port: number) =>
  new Promise<boolean>((resolve) => {
    get({ host: '127.0.0.1', port, path: '/health/ready', agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    }).on('error', () => resolve(false))
  })

/** Nanoseconds of CPU of all threads: exact, unlike the ticks of /proc/<pid>/stat. */
export const cpuNanos = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [running] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return sum + Number(running)
  }, 0)

const patience = 60_000

const untilReady = async (child: ChildProcess, port: number) => {
  for (const began = performance.now(); !(await isReady(port)); await sleep(5)) {
    if (child.exitCode !== null || performance.now() - began > patience)
      throw new Error('the server did not become ready')
  }
}

/** Starts a built server, and waits until it is ready. It can be observed on Linux only. */
export const startProgram = async (
  seeded: Seeded,
  { program = programs.bundled, env = {} }: { program?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Program> => {
  const port = await freePort()
  const began = performance.now()
  const child = spawn(process.execPath, [program, 'serve'], {
    env: { ...programEnvironment(seeded, port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await untilReady(child, port)
  const pid = child.pid as number
  return {
    pid,
    port,
    readyMs: performance.now() - began,
    cpuMs: () => cpuNanos(pid) / 1e6,
    rss: () => residentBytes(pid),
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await ended
      clearTimeout(timer)
    },
  }
}
