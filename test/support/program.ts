import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { loader } from './typescript/loader.ts'

const run = promisify(execFile)

/** Runs a TypeScript file in a process of its own. @returns its output */
export const runProgram = async (path: string, ...args: string[]): Promise<string> => {
  const env = { PATH: process.env.PATH }
  const { stdout } = await run(process.execPath, [...loader, path, ...args], { env })
  return stdout
}
