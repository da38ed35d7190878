// The `latchkey` command line. run.ts finds the command, parses its arguments and sets the exit code. Each other file
// is one command or code that commands share.
import type { Terminal } from './terminal.ts'

export interface Command {
  name: string
  summary: string
  actions: readonly Action[]
}

/** A command with one action, which has no word of its own. */
export const singleAction = (
  name: string,
  summary: string,
  action: Omit<Action, 'name'>,
): Command => ({ name, summary, actions: [{ ...action, name: '' }] })

export interface Option {
  /** Name of the value in the help. Absent for a switch. */
  value?: string
  /** A letter that stands for it: `-f`. */
  short?: string
  /** The option may be repeated. */
  multiple?: true
  help: string
}

export interface Action {
  /** The word after the command; empty for a command with a single action. */
  name: string
  summary: string
  /** Names of the arguments, in order. All are required, except one in brackets: `[name…]`. */
  positionals?: readonly string[]
  options?: Readonly<Record<string, Option>>
  /** Lines at the end of the help, such as the source of secrets and the output. */
  notes?: readonly string[]
  run(input: Input, terminal: Terminal): Promise<void>
}

/** An action on something that is opened when it runs, without its name. */
export interface ActionOn<Service> extends Omit<Action, 'name' | 'run'> {
  run(service: Service, input: Input, terminal: Terminal): Promise<void>
}

/** The parsed arguments of one action. */
export interface Input {
  /** Results as JSON, for scripts. */
  json: boolean
  /** The value of a positional argument; empty: one in brackets that is not given. */
  argument(name: string): string
  text(name: string): string | undefined
  /** @throws CommandError when it is missing */
  required(name: string): string
  flag(name: string): boolean
  /** An integer. @throws CommandError for other values */
  number(name: string): number | undefined
  /** All values of an option that may be given several times. */
  values(name: string): string[] | undefined
  /** All values of an option that also accepts a comma-separated list. */
  words(name: string): string[] | undefined
  /** One of these words. @throws CommandError for other values */
  choice<Word extends string>(name: string, words: readonly Word[]): Word | undefined
}
