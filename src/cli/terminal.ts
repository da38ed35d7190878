import type { Readable, Writable } from 'node:stream'

/** Everything that a command has to do with the world around it, so that tests can be that world. */
export interface Terminal {
  env: NodeJS.ProcessEnv
  stdin: Readable & { isTTY?: boolean }
  stdout: Writable
  stderr: Writable
}

/** Results: what a script reads. */
export const say = ({ stdout }: Terminal, text: string) => {
  stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

/** Hints and progress: for people only, never needed to use the result. */
export const note = ({ stderr }: Terminal, text: string) => {
  stderr.write(text.endsWith('\n') ? text : `${text}\n`)
}

export const processTerminal = (): Terminal => ({
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
})
