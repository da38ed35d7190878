/** Runs once before all test files. Tap starts it without `test-env`. */
import './typescript/register.mjs'

await import('./start-run.ts')
