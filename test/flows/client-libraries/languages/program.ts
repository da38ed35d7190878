// Apps in other languages, each with a common client library, and the protocol between them and the
// tests.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import type { Json } from '../../../support/latchkey.ts'

/** The user and the browser. */
export interface Person {
  /** The redirect URI, where the user returns to the app. */
  visit(address: string): Promise<string>
  /** Enters a user code and approves; returns the status of the last page. */
  enter(userCode: string): Promise<number>
}

/**
 * Runs a program that writes its requests as lines: `visit ADDRESS` and `enter CODE`, each answered
 * by a line, and finally `tell JSON`. @returns the final JSON
 */
export const converse = async (
  t: Test,
  [program, ...args]: [string, ...string[]],
  env: NodeJS.ProcessEnv,
  person: Person,
): Promise<Json> => {
  const { PATH, HOME } = process.env
  const child = spawn(program, args, { cwd: import.meta.dirname, env: { PATH, HOME, ...env } })
  t.teardown(() => child.kill('SIGKILL'))
  // The exit code reports a program that has already ended.
  child.stdin.on('error', () => undefined)

  const talk = async () => {
    let told: Json = null
    for await (const line of createInterface(child.stdout)) {
      const [, word, rest = ''] = /^(\w+) (.*)$/.exec(line) ?? []
      if (word === 'visit') child.stdin.write(`${await person.visit(rest)}\n`)
      else if (word === 'enter') child.stdin.write(`${await person.enter(rest)}\n`)
      else if (word === 'tell') told = JSON.parse(rest)
      else throw new Error(`${program} says: ${line}`)
    }
    return told
  }
  const [[code], complaint, told] = await Promise.all([
    once(child, 'close'),
    text(child.stderr),
    talk(),
  ])
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${complaint}`)
  return told
}
