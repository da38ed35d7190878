// What lives here: apps in other languages, each on the library that its people use, and how they talk with a test.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import type { Json } from '../../../support/latchkey.ts'

/** The part of the person, and of their browser. */
export interface Person {
  /** Where they come back to the app. */
  visit(address: string): Promise<string>
  /** Enters the code of a device and agrees; the status of the last page. */
  enter(userCode: string): Promise<number>
}

/**
 * Runs a program that says in lines what it wants: `visit ADDRESS` and `enter CODE`, each answered by a line, and
 * at last `tell JSON`.
 * @returns what it told
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
  // One that has ended is heard of by its exit code.
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
