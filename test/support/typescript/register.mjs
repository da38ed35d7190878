/**
 * Runs the TypeScript of src and test in this process. `.taprc` names it in NODE_OPTIONS, so that
 * it comes before tap's own hooks.
 */
import * as nodeModule from 'node:module'
import * as hooks from './hooks.mjs'

// Newer versions of Node run hooks in this thread. Before, they were in a thread of their own, and each module crossed to it.
if (nodeModule.registerHooks) nodeModule.registerHooks(hooks)
else nodeModule.register('./hooks.mjs', import.meta.url)
// Processes that a test starts run the built files.
delete process.env.NODE_OPTIONS
