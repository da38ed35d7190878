/**
 * Runs the TypeScript of src and test in this process. `.taprc` names it in NODE_OPTIONS, so that
 * it comes before tap's own hooks.
 */
import { register } from 'node:module'

register('./hooks.mjs', import.meta.url)
// Processes that a test starts run the built files.
delete process.env.NODE_OPTIONS
