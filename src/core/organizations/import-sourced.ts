// Apps and installs whose lines name a source: the earlier server, which may still serve. Its later lines must not undo what was
// changed here since the last one (decision 0122).
import type { Judge } from '../credentials/secrets.ts'

export interface SourcedLine {
  /** The app or the install. */
  subject: string
  line: object
}

export interface SourcedLineStore {
  /** @returns what to do with each line, by the state of its subject when that is locked */
  judge(lines: readonly SourcedLine[]): Promise<Judge[]>
  /** Stores the state that each line has made. */
  record(lines: readonly (SourcedLine & { state: string })[]): Promise<void>
}

/** The name of a state. */
export const stateOf = (row: { id?: string; updatedAt: Date } | null): string | null =>
  row && `${row.id ?? ''} ${row.updatedAt.toISOString()}`
