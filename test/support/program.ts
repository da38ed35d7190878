import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** The test runner's TypeScript, without its bookkeeping. */
const loader = process.execArgv.filter((argument) => argument.includes('typescript'))

/** Runs a TypeScript file in a process of its own. @returns what it said */
export const runProgram = async (path: string, ...args: string[]): Promise<string> => {
  const env = { PATH: process.env.PATH, TS_NODE_TRANSPILE_ONLY: '1' }
  const { stdout } = await run(process.execPath, [...loader, path, ...args], { env })
  return stdout
}
