/** Runs once after all test files: stops what before.ts started and removes its files. */
import { thisRun } from './run-record.ts'
import { stopRun } from './stop-run.ts'

await stopRun(thisRun())
