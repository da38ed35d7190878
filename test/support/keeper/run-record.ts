/**
 * The record of one run's servers, in a file named for the runner's process. Test files are
 * children of the runner and find the file by their parent's id, so two runs in one checkout each
 * have their own servers.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface RunRecord {
  /** The directory of all servers' files; the packaged Postgres was opened on it. */
  directory: string
  /** The address of this run's keeper. */
  socket: string
  hasEmbedded?: boolean
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
  /** A Unix socket in a directory of this run: no other Redis can answer there. */
  socket: string
  databases: number
}

export const folder = join(import.meta.dirname, '../../../node_modules/.cache/latchkey-tests')
/** Set by test files for the processes that they start. */
const variable = 'LATCHKEY_TEST_RUN'

const pathOf = (runner: number): string => join(folder, `${runner}.json`)
/** Held by the process that starts the keeper, then by the keeper. */
export const lockOf = (runner: number): string => join(folder, `${runner}.lock`)
/** The keeper's output: empty, unless it crashed. */
export const logOf = (runner: number): string => join(folder, `${runner}.log`)

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

/** Written atomically: readers see the old record or the new one. */
export function writeRecord(runner: number, record: RunRecord): void {
  mkdirSync(folder, { recursive: true })
  const draft = `${pathOf(runner)}.draft`
  writeFileSync(draft, JSON.stringify(record, null, 2), { mode: 0o600 })
  renameSync(draft, pathOf(runner))
}

export function removeRecord(runner: number): void {
  for (const path of [pathOf(runner), logOf(runner), lockOf(runner)]) rmSync(path, { force: true })
}

/** The runners that have a record. */
export function recordedRuns(): number[] {
  mkdirSync(folder, { recursive: true })
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => Number.parseInt(name, 10))
}
