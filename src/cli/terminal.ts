import type { Readable, Writable } from 'node:stream'

/** The outside world of a command, replaceable in tests. */
export interface Terminal {
  env: NodeJS.ProcessEnv
  stdin: Readable & { isTTY?: boolean }
  stdout: Writable
  stderr: Writable
  /** Where an installed server has its settings. Absent: nowhere. */
  installed?: string
}

/** Prints a result, for scripts. */
export const say = ({ stdout }: Terminal, text: string) => {
  stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

/** Prints hints and progress, for people only. The result never depends on them. */
export const note = ({ stderr }: Terminal, text: string) => {
  stderr.write(text.endsWith('\n') ? text : `${text}\n`)
}

export const processTerminal = (): Terminal => ({
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  installed: '/etc/latchkey',
})
