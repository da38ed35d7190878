/** A reader who copies examples into a shell, one after the other, and keeps their results. */
import { execFile, spawn } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { isInstalled } from '../support/installed.ts'
import type { Json } from '../support/latchkey.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import type { Language } from './examples.ts'

export interface Said {
  text: string
  /** The same, parsed as JSON. */
  json: Json | null
}

export interface Reader {
  /** The variables of the shell. */
  env: Record<string, string>
  /** The reader's directory. */
  directory: string
  run(language: Language, example: string): Promise<Said>
}

/** The shells into which examples are pasted. zsh is the interactive one of macOS. */
export type Shell = 'bash' | 'zsh'
export const shells: readonly Shell[] = ['bash', 'zsh']

/** The program that runs an example of each language. */
export const isEquipped: Record<Language, () => boolean> = {
  sh: () => isInstalled('bash') && isInstalled('curl') && isInstalled('openssl', 'version'),
  js: () => true,
  python: () => isInstalled('python3'),
}

interface Way {
  file: string
  command: [program: string, ...args: string[]]
  /** What is typed into the program. */
  typed?(example: string): string
}

// Like a shell: variables and functions of an example stay for the next one.
const inShell: Record<Shell, Way> = {
  bash: {
    file: 'example.sh',
    command: ['bash', '-euc', 'set -a; . ./example.sh; env -0 > ./variables'],
  },
  // An interactive one reads from its input, and takes a comment for a command or its arguments. As with a paste, the
  // commands of the example do not read its next lines.
  zsh: {
    file: 'example.sh',
    command: ['zsh', '-f', '-i', '-s', '+m', '-o', 'no_prompt_sp'],
    typed: (example) =>
      `set -eua\nif [ -e functions.zsh ]; then . ./functions.zsh; fi\n{\n${example}\n} </dev/null\n` +
      'typeset -f > functions.zsh; env -0 > ./variables\n',
  },
}

const ways: Record<Exclude<Language, 'sh'>, Way> = {
  js: { file: 'example.mjs', command: [process.execPath, 'example.mjs'] },
  python: { file: 'example.py', command: ['python3', 'example.py'] },
}

const parsed = (said: string): Json | null => {
  try {
    return JSON.parse(said)
  } catch {
    return null
  }
}

/** `// oauth.mjs`: a file that other examples import is saved under its name. */
const fileNameOf = (example: string) => /^(?:\/\/|#) (\w+\.(?:mjs|py))\n/.exec(example)?.[1]

/** @param given variables that are set at the beginning */
export const createReader = async (
  t: Test,
  given: Record<string, string>,
  shell: Shell = 'bash',
): Promise<Reader> => {
  const directory = await temporaryDirectory('reader')
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const { PATH = '', HOME = directory } = process.env
  const reader: Reader = {
    env: { PATH, HOME, npm_config_update_notifier: 'false', ...given },
    directory,
    run: async (language, example) => {
      const { file, command, typed } = language === 'sh' ? inShell[shell] : ways[language]
      const name = fileNameOf(example)
      await writeFile(join(directory, name ?? file), example)
      if (name) return { text: '', json: null }
      const [program, ...args] = command
      const child = spawn(program, args, {
        cwd: directory,
        env: reader.env,
        stdio: 'pipe',
      })
      child.stdin.on('error', () => undefined) // a shell that has ended reads no more
      child.stdin.end(typed?.(example))
      const [said, complaint, code] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        new Promise((resolve) => child.once('close', resolve)),
      ])
      if (code !== 0) throw new Error(`${program} ended with ${code}: ${said}${complaint}`)
      if (language === 'sh') await keepVariables()
      const json = parsed(said)
      keepMembers(json)
      return { text: said.trim(), json }
    },
  }

  async function keepVariables(): Promise<void> {
    const entries = (await readFile(join(directory, 'variables'), 'utf8')).split('\0')
    reader.env = Object.fromEntries(
      entries.filter(Boolean).map((one) => {
        const at = one.indexOf('=')
        return [one.slice(0, at), one.slice(at + 1)]
      }),
    )
  }

  /**
   * The convention of the pages: a member of a response becomes the variable with its name in
   * capitals.
   */
  function keepMembers(json: Json): void {
    for (const [name, value] of Object.entries(json ?? {}))
      if (typeof value === 'string' || typeof value === 'number')
        reader.env[name.toUpperCase()] = String(value)
  }

  return reader
}

/** Runs a program of the test in the reader's directory. @returns its output */
export const runBeside = async (
  { directory, env }: Reader,
  program: string,
  args: string[],
): Promise<string> =>
  (await promisify(execFile)(program, args, { cwd: directory, env })).stdout.trim()
