/**
 * Requests of a test process to the keeper of its run, and the responses: one JSON object per line.
 * A response has the `id` of its request.
 */
import type { BackendName } from '../backends.ts'

export type Request =
  /** The available backends. */
  | { ask: 'backends' }
  /** A database for the caller; `empty`: not migrated. */
  | { ask: 'database'; backend: BackendName; empty: boolean }
  /** The address of the browser process that all tests of the run share. */
  | { ask: 'browser'; program: BrowserProgram }
  /**
   * The database is no longer needed. The keeper drops a process's remaining databases when the
   * process exits.
   */
  | { ask: 'drop'; lease: string }

export interface BrowserProgram {
  executablePath: string
  args: string[]
}

export interface Backends {
  available: BackendName[]
  /** A line for each missing program; sent to the first caller only. */
  warnings: string[]
}

export interface Lease {
  id: string
  databaseUrl: string
  redisUrl: string | null
}

export type Answer = { ok: unknown } | { error: string }
