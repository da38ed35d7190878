#!/usr/bin/env node
import { run } from './cli/run.ts'
import { processTerminal } from './cli/terminal.ts'

const exitTimeout = 2000 // ms

// A closed pipe, such as of `head`, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

process.exitCode = await run(process.argv.slice(2), processTerminal())
// A failed start may have left something open that would keep the process running.
if (process.exitCode !== 0) setTimeout(() => process.exit(), exitTimeout).unref()
