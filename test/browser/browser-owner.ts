/** Starts a browser as the keeper of a run does, and waits until it is killed. */
import { sharedBrowsers } from '../support/keeper/browsers.ts'
import { chromiumProgram } from './chromium.ts'

const program = chromiumProgram()
if (!program) throw new Error('no Chromium is installed')
process.stdout.write(`${await sharedBrowsers().open(program)}\n`)
setInterval(() => {}, 60_000)
