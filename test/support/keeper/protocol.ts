/**
 * Requests of a test process to the keeper of its run, and the responses: one JSON object per line.
 * A response has the `id` of its request.
 */
import type { BackendName } from '../backends.ts'
import type { World } from '../world.ts'

/** What a database begins with: nothing, our tables, or the usual organizations too. */
export type Content = 'nothing' | 'tables' | 'world'

export type Request =
  /** The available backends. */
  | { ask: 'backends' }
  /** A database for the caller. */
  | { ask: 'database'; backend: BackendName; content: Content }
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
  /** What a database with a world has; null for the first one of a run, which has tables only. */
  world: World | null
}

export type Answer = { ok: unknown } | { error: string }
