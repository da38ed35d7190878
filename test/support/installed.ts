import { execFileSync } from 'node:child_process'

/** Whether a program can be started here. */
export const isInstalled = (program: string, argument = '--version'): boolean => {
  try {
    execFileSync(program, [argument], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

/**
 * Options of a test that needs something which not every machine has: skipped there, and said aloud. In CI nothing
 * may be missing, so there the test runs and fails.
 */
export const unlessMissing = (isThere: boolean, what: string): { skip?: string } => {
  if (isThere || process.env.CI) return {}
  const skip = `NOT TESTED: ${what} is not there`
  console.error(`\n*** ${skip} ***\n`)
  return { skip }
}
