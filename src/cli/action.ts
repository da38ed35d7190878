import type { Option } from './option.ts'
import type { Terminal } from './terminal.ts'

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
/** The arguments of one action, read. */
export interface Input {
  /** Results as JSON, for scripts. */
  json: boolean
  /** One of the action's positionals. */
  argument(name: string): string
  text(name: string): string | undefined
  /** @throws CommandError when it is missing */
  required(name: string): string
  flag(name: string): boolean
  /** A whole number. @throws CommandError when it is something else */
  number(name: string): number | undefined
  /** All values of an option that may be given several times. */
  values(name: string): string[] | undefined
  /** The same, for words that may also be written with commas between them. */
  words(name: string): string[] | undefined
  /** One of these words. @throws CommandError */
  choice<Word extends string>(name: string, words: readonly Word[]): Word | undefined
}
