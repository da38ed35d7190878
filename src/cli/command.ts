// What lives here: the `latchkey` command line. run.ts finds the command, reads its arguments and turns its end
// into an exit code; each other file is one command, or what commands share.
import type { Input } from './input.ts'
import type { Terminal } from './terminal.ts'

export interface Option {
  /** What its value is, for the help; none: it is a switch. */
  value?: string
  /** May be given several times. */
  multiple?: true
  help: string
}

export interface Action {
  /** The word behind the command; empty for a command that does one thing. */
  name: string
  summary: string
  /** Names of what must follow, in order. */
  positionals?: readonly string[]
  options?: Readonly<Record<string, Option>>
  /** Lines at the end of the help: where secrets come from, what is printed. */
  notes?: readonly string[]
  run(input: Input, terminal: Terminal): Promise<void>
}

export interface Command {
  name: string
  summary: string
  actions: readonly Action[]
}
