import { execFileSync } from 'node:child_process'

/** Whether a program can be started here. */
export const isInstalled = (program: string, ...args: string[]): boolean => {
  try {
    execFileSync(program, args.length > 0 ? args : ['--version'], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

/**
 * Options of a test that needs an optional program: it is skipped with a message if the program is
 * missing. In CI nothing may be missing, so there the test runs and fails.
 */
export const unlessMissing = (isThere: boolean, what: string): { skip?: string } =>
  process.env.CI ? {} : whereFound(isThere, what)

/** The same for programs that CI may lack: skipped there too. */
export const whereFound = (isThere: boolean, what: string): { skip?: string } => {
  if (isThere) return {}
  const skip = `NOT TESTED: ${what} is not there`
  console.error(`\n*** ${skip} ***\n`)
  return { skip }
}
