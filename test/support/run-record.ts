/**
 * What one run of the tests has started, in a file named for the runner's process: before.mjs,
 * after.mjs and the test files are all children of the runner, and find it by their parent's id.
 * So two runs in one checkout have each their own servers.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface RunRecord {
  /** Holds the files of all servers; the packaged Postgres was opened on it. */
  directory: string
  embedded?: { url: string }
  postgres?: SystemPostgres
  redis?: PrivateRedis
}

export interface SystemPostgres {
  bin: string
  data: string
  uid: number | null
  gid: number | null
  url: string
}

export interface PrivateRedis {
  url: string
  /** A Unix socket in our own directory: nobody else's Redis can answer there. */
  socket: string
  databases: number
}

const folder = join(import.meta.dirname, '../../node_modules/.cache/latchkey-tests')
/** Set by test files for the processes that they start. */
const variable = 'LATCHKEY_TEST_RUN'

const pathOf = (runner: number | string): string => join(folder, `${runner}.json`)

export function thisRun(): number {
  const runner = Number(process.env[variable] ?? process.ppid)
  process.env[variable] = String(runner)
  return runner
}

export function readRecord(runner: number): RunRecord | null {
  try {
    return JSON.parse(readFileSync(pathOf(runner), 'utf8'))
  } catch {
    return null
  }
}

export function writeRecord(runner: number, record: RunRecord): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(pathOf(runner), JSON.stringify(record, null, 2), { mode: 0o600 })
}

export const removeRecord = (runner: number): void => rmSync(pathOf(runner), { force: true })

/** Runs whose runner is gone and which left something behind. */
export function crashedRuns(): number[] {
  mkdirSync(folder, { recursive: true })
  return readdirSync(folder)
    .map((name) => Number(name.replace('.json', '')))
    .filter((runner) => runner > 0 && !isAlive(runner))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
