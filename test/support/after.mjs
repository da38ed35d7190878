/** Runs once after all test files. Tap starts it without `test-env`. */
import './typescript/register.mjs'

const { thisRun } = await import('./run-record.ts')
const { stopRun } = await import('./stop-run.ts')

await stopRun(thisRun())
