import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { readSecret } from '../config/secret-files.ts'
import { usageError } from './exit-codes.ts'
import { note, type Terminal } from './terminal.ts'

const longestInput = 64 * 1024

const readAll = async ({ stdin }: Terminal): Promise<string> => {
  let text = ''
  stdin.setEncoding('utf8')
  for await (const chunk of stdin) {
    text += String(chunk)
    if (text.length > longestInput) throw usageError('stdin is too long')
  }
  return text
}

/** Prompts at the terminal without echoing the input. */
const prompt = async (terminal: Terminal, question: string): Promise<string> => {
  terminal.stderr.write(`${question}: `)
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: terminal.stdin, output, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    note(terminal, '')
  }
}

/**
 * Reads a secret from stdin: without echo at a terminal, otherwise all piped input without the final line break.
 * @throws CommandError when the input is empty
 */
export const secretFromStdin = async (terminal: Terminal, what: string): Promise<string> => {
  const text = terminal.stdin.isTTY ? await prompt(terminal, what) : await readAll(terminal)
  const secret = text.replace(/\r?\n$/, '')
  if (secret === '') throw usageError(`stdin has no ${what}`)
  return secret
}

/**
 * Reads a secret from an environment variable, or from the file that `NAME_FILE` names. Secrets are never arguments,
 * because every user of a machine can see those.
 * @throws CommandError when the file is faulty
 */
export const secretFromEnvironment = ({ env }: Pick<Terminal, 'env'>, name: string) => {
  const faults: string[] = []
  const secret = readSecret(env, name, faults)
  if (faults[0] !== undefined) throw usageError(faults[0])
  return secret
}
