// The `latchkey` command line. run.ts finds the command, parses its arguments and sets the exit code. Each other file
// is one command or code that commands share.
import type { Action } from './action.ts'

export interface Command {
  name: string
  summary: string
  actions: readonly Action[]
}
