/** Exit codes for scripts. They are part of the contract, and `latchkey --help` lists them. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  unreachable: 5,
  lost: 6,
  changes: 10,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export const exitMeanings: readonly (readonly [ExitCode, string])[] = [
  [exitCodes.ok, 'done'],
  [exitCodes.failed, 'failed'],
  [exitCodes.usage, 'wrong use or wrong configuration'],
  [exitCodes.notFound, 'not found'],
  [exitCodes.refused, 'refused by the server, or invalid'],
  [exitCodes.unreachable, 'the server, or the store of a takeover, cannot be reached'],
  [exitCodes.lost, 'done, but a takeover loses something'],
  [exitCodes.changes, 'a plan has changes'],
]

/** A failed command, described for people in single lines without a stack. */
export class CommandError extends Error {
  readonly exitCode: ExitCode
  /** Hints, one line each. */
  readonly hints: readonly string[]

  constructor(exitCode: ExitCode, message: string, hints: readonly string[] = []) {
    super(message)
    this.name = 'CommandError'
    this.exitCode = exitCode
    this.hints = hints
  }
}

export const usageError = (message: string, hints: readonly string[] = []) =>
  new CommandError(exitCodes.usage, message, hints)

/** The first message that is not empty: the AggregateErrors of Node's network code have none. */
export const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError && !error.message) return messageOf(error.errors[0])
  return error instanceof Error ? error.message || error.name : String(error)
}
