// What lives here: the `latchkey` command line. run.ts finds the command, reads its arguments and turns its end
// into an exit code; each other file is one command, or what commands share.
import type { Action } from './action.ts'

export interface Command {
  name: string
  summary: string
  actions: readonly Action[]
}
