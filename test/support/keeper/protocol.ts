/**
 * Requests of a test process to the keeper of its run, and the answers: a JSON object on a line each. An answer has the
 * `id` of its request.
 */
import type { BackendName } from '../backends.ts'

export type Request =
  /** Which backends are there. */
  | { ask: 'backends' }
  /** A database of one's own; `empty`: not migrated. */
  | { ask: 'database'; backend: BackendName; empty: boolean }
  /** The address of the browser process that all tests of the run share. */
  | { ask: 'browser'; program: BrowserProgram }
  /** The database is needed no more. What a process has not given back is dropped when the process ends. */
  | { ask: 'drop'; lease: string }

export interface BrowserProgram {
  executablePath: string
  args: string[]
}

export interface Backends {
  available: BackendName[]
  /** A line for each thing that is not installed; to the first that asks only. */
  warnings: string[]
}

export interface Lease {
  id: string
  databaseUrl: string
  redisUrl: string | null
}

export type Answer = { ok: unknown } | { error: string }
