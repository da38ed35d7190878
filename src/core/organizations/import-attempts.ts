import type { Cause } from '../audit/audit.ts'
import { StoreUnavailable } from '../language/errors.ts'
import { Conflict, Forbidden, Invalid, NotFound } from '../language/service-errors.ts'
import { type LineOutcome, withoutRepeats } from './import-lines.ts'

const mostAttempts = 5

export const unavailable: LineOutcome = {
  status: 'refused',
  detail: 'a store cannot be reached; send the line again',
}

/**
 * Concurrent imports of the same rows may block each other or be too late: their transactions run again.
 * @param work resolves to null when it was too late
 * @returns null after the last attempt
 */
export const persistently = async <Result>(
  work: () => Promise<Result | null>,
): Promise<Result | null> => {
  for (let attempt = 1; attempt <= mostAttempts; attempt++)
    try {
      const result = await work()
      if (result !== null) return result
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
    }
  return null
}

/**
 * Stores lines of one type.
 * @param keyOf lines with the same key are stored one after the other
 * @param storeRun as `work` of `persistently`
 */
export const storedInRuns =
  <Line>(
    keyOf: (line: Line) => string,
    storeRun: (run: readonly Line[], cause: Cause) => Promise<readonly LineOutcome[] | null>,
  ) =>
  async (lines: readonly Line[], cause: Cause): Promise<LineOutcome[]> => {
    const outcomes: LineOutcome[] = []
    for (const run of withoutRepeats(lines, keyOf))
      outcomes.push(
        ...((await persistently(() => storeRun(run, cause))) ?? run.map(() => unavailable)),
      )
    return outcomes
  }

/** A line that cannot be stored, for a reason that only imports know. */
export class LineRefused extends Error {}

export const changedHere = (what: 'app' | 'install' | 'secret') =>
  new LineRefused(`the ${what} was changed here since`)

type Refusal = LineRefused | Invalid | Conflict | NotFound | Forbidden

/** Does the error concern one line only? */
export const isRefusal = (error: unknown): error is Refusal =>
  [LineRefused, Invalid, Conflict, NotFound, Forbidden].some((one) => error instanceof one)

export const refusal = (error: Refusal): LineOutcome => ({
  status: 'refused',
  detail:
    error instanceof Invalid
      ? error.faults.map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}`).join('; ')
      : error.message,
})
