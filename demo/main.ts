import { run } from '#dist/cli/run.js'
import { processTerminal } from '#dist/cli/terminal.js'
import { demo } from './command.ts'

process.exitCode = await run(['demo', ...process.argv.slice(2)], processTerminal(), [demo])
// A start that failed half way may have left something open that would keep the process.
if (process.exitCode !== 0) setTimeout(() => process.exit(), 2000).unref()
