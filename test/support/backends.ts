/**
 * The backends of a test file. The contracts hold both to the same behaviour, so by day only the most dependent files
 * run on each. Any other file runs on one, chosen by its path, so that the choice is stable and about half of the files
 * run on either. `LATCHKEY_TEST_BACKENDS=all` runs every file on both, as each night does.
 */
import { createHash } from 'node:crypto'
import { join, relative, sep } from 'node:path'

export type BackendName = 'embedded' | 'servers'

const root = join(import.meta.dirname, '../..')

/** Where the kinds of stores differ: what they keep, single use, rotation, families, late commands; and the main flows. */
const onBoth = [
  /^test\/(contracts|faults|model|stores|support)\//,
  /^test\/flows\/(answer-again|answered-before|current|legacy|races|round-trips|unsettled)\./,
  /^test\/attacks\/(codes|refresh-tokens|rotation)\./,
  /^test\/scale\/query-plans\./,
  /^test\/core\/(authorization\/device-flow|client-documents\/document-refresh|logos\/logo-fetch|grants\/redeem|people\/sessions)\./,
  /^test\/cli\/which-database\./,
]

/** @param file path of the test file */
export const backendsOf = (file: string, available: BackendName[]): BackendName[] => {
  const path = relative(root, file).split(sep).join('/')
  const isNeeded =
    process.env.LATCHKEY_TEST_BACKENDS === 'all' || onBoth.some((pattern) => pattern.test(path))
  if (isNeeded || available.length < 2) return available
  const digest = createHash('sha256').update(path).digest()
  return available.slice(digest[0]! % 2).slice(0, 1)
}
