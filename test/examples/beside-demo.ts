// The programs in examples/, each started next to a demo as its README says.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { apps, password, people } from '../../demo/cast.ts'
import { type RunningDemo, startDemo } from '../../demo/demo.ts'
import { createOperatorApi, type OperatorApi } from '../../src/cli/operator-api.ts'
import { operatorToken } from '../../src/cli/server-address.ts'
import { findPackage } from '../../src/stores/embedded/package.ts'
import { eventually } from '../support/eventually.ts'
import { lowPort } from '../support/free-port.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import type { Answers } from '../support/visitor.ts'

export const root = join(import.meta.dirname, '../..')

export interface Scene {
  demo: RunningDemo
  api: OperatorApi
  acmeId: string
  clientIdOf(app: keyof typeof apps): Promise<string>
  ana: Answers
  kim: Answers
}

/** A demo for one test file. */
export const startScene = async (): Promise<Scene> => {
  if (!(await findPackage().catch(() => null))) t.bailout('there is no packaged Postgres here')
  const directory = await temporaryDirectory('examples')
  const demo = await startDemo({
    port: lowPort(),
    directory,
    tell: () => undefined,
    logLevel: 'silent',
  })
  t.teardown(async () => {
    await demo.close()
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  })
  const token = await operatorToken({ env: { LATCHKEY_DATA: directory } })
  const api = createOperatorApi({ url: demo.issuer, token })
  const organizations = await api.list<{ id: string; name: string }>('/organizations')
  const answersOf = ({ email }: { email: string }) => ({ email, password })
  return {
    demo,
    api,
    acmeId: organizations.find(({ name }) => name === 'Acme')?.id ?? '',
    clientIdOf: async (app) => {
      const rows = await api.list<{ client_id: string; name: string }>('/apps')
      return rows.find(({ name }) => name === apps[app].name)?.client_id ?? ''
    },
    ana: answersOf(people.ana),
    kim: answersOf(people.kim),
  }
}

/** A started program. */
export interface Program {
  child: ChildProcess
  out(): string
  err(): string
  /** Waits for this output on either stream. @throws Error if the program exits before */
  says(words: RegExp): Promise<RegExpExecArray>
  /** Its exit code. */
  ended: Promise<number | null>
}

/** Starts an example by the command that the demo prints, with further settings and arguments. */
export const startExample = (
  t: Test,
  { demo }: Scene,
  name: string,
  { args = [], env = {} }: { args?: string[]; env?: Record<string, string> } = {},
): Program => {
  const command = demo.examples.find((one) => one.endsWith(` examples/${name}/main.mjs`))
  if (!command?.startsWith('node ')) throw new Error(`the demo does not tell how to start ${name}`)
  const child = spawn(process.execPath, [...command.split(' ').slice(1), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    said.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.err += chunk
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const find = (words: RegExp) => words.exec(said.out) ?? words.exec(said.err)
  return {
    child,
    out: () => said.out,
    err: () => said.err,
    says: async (words) => {
      await eventually(() => isOver || find(words) !== null)
      const found = find(words)
      if (!found) throw new Error(`${name} has ended: ${said.err}`)
      return found
    },
    ended,
  }
}

/** Runs an example until it exits. */
export const runExample = async (...started: Parameters<typeof startExample>) => {
  const program = startExample(...started)
  const code = await program.ended
  return { code, out: program.out(), err: program.err() }
}

/** Access tokens issued to an app in Acme, by grant type. */
export const issuedTo = async ({ api, acmeId }: Scene, clientId: string) => {
  const days = await api.list<{ client_id: string; issued: Record<string, number> }>(
    `/organizations/${acmeId}/usage`,
  )
  const counts = days.filter(({ client_id }) => client_id === clientId).map(({ issued }) => issued)
  const sum = (grant: string) => counts.reduce((total, one) => total + (one[grant] ?? 0), 0)
  return { codes: sum('authorization_code'), refreshes: sum('refresh_token') }
}
