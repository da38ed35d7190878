import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { run } from '../../src/cli/run.ts'

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

const collector = () => {
  const chunks: string[] = []
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(String(chunk))
      done()
    },
  })
  return { stream, text: () => chunks.join('') }
}

export type Environment = Record<string, string>

/** Runs a command line in this process, with its own environment. */
export const latchkey = async (
  args: string[],
  env: Environment = {},
  stdin = '',
): Promise<Ended> => {
  const [out, err] = [collector(), collector()]
  const code = await run(args, {
    env,
    stdin: Readable.from(stdin === '' ? [] : [stdin]),
    stdout: out.stream,
    stderr: err.stream,
  })
  return { code, stdout: out.text(), stderr: err.text() }
}

/** Starts a command line whose hints are needed while it runs. */
export const latchkeyRunning = (args: string[], env: Environment) => {
  const [out, err] = [collector(), collector()]
  const ended = run(args, {
    env,
    stdin: Readable.from([]),
    stdout: out.stream,
    stderr: err.stream,
  }).then((code): Ended => ({ code, stdout: out.text(), stderr: err.text() }))
  return { ended, stderr: err.text }
}

/** The built command line. */
export const program = join(import.meta.dirname, '../../dist/program/main.js')

/** Runs a command line as a process that writes its output to this file. */
export const latchkeyInto = (path: string, args: string[], env: Environment) => {
  const file = openSync(path, 'w')
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', file, 'pipe'],
  })
  closeSync(file)
  return child
}

/**
 * Runs the built command line as a separate process (`npm test` builds first). @param path of
 * another version
 */
export const latchkeyProcess = (args: string[], env: Environment, path = program) => {
  if (!existsSync(path)) throw new Error('nothing is built to be started: npm run build')
  const child = spawn(process.execPath, [path, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    said.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.stderr += chunk
  })
  const ended = once(child, 'close').then(([code]): Ended => ({ code, ...said }))
  return { child, said, ended }
}
