/**
 * Runs several test files in this process, one after another: `LATCHKEY_TEST_FILES='["<file>", …]' node files.ts`. The `t` that a file imports from
 * tap is a subtest of its own, so each file ends, with its teardowns, before the next one begins. `run.mjs` reads the
 * output.
 */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import tap, { type Test } from 'tap'
import { hashCheaply } from '../cheap-hashes.ts'

const begin = tap.test.bind(tap)
let current: Test = tap

/** What test files use of `t` outside of their tests. */
for (const name of ['test', 'teardown', 'beforeEach', 'afterEach'] as const) {
  // biome-ignore lint/suspicious/noExplicitAny: passed on as they are
  const passOn = (...args: any[]) => (current[name] as (...args: any[]) => unknown)(...args)
  Object.defineProperty(tap, name, { value: passOn, configurable: true, writable: true })
}
Object.defineProperty(tap, 'jobs', {
  get: () => current.jobs,
  set: (jobs: number) => {
    current.jobs = jobs
  },
})

// Not arguments: tap makes names of folders from them, and these have a longest length.
const files: string[] = JSON.parse(process.env.LATCHKEY_TEST_FILES ?? '[]')
delete process.env.LATCHKEY_TEST_FILES

/** Set by packages when they are loaded, whichever file needs them first. */
const setByPackages = ['VIPSHOME']

const stateOf = (): Record<string, string | undefined> => ({
  ...process.env,
  'the working directory': process.cwd(),
})
const changedSince = (before: ReturnType<typeof stateOf>): string => {
  const now = stateOf()
  const names = Object.keys({ ...before, ...now })
  return names
    .filter((name) => before[name] !== now[name] && !setByPackages.includes(name))
    .join(', ')
}
/** Seconds of CPU of this process and of its children that have ended (proc(5), ticks of 10 ms). */
const cpuSeconds = () => {
  const { user, system } = process.cpuUsage()
  const stat = existsSync('/proc/self/stat') ? readFileSync('/proc/self/stat', 'latin1') : ''
  const [children = 0, theirSystem = 0] =
    stat.split(') ')[1]?.split(' ').slice(13, 15).map(Number) ?? []
  return (user + system) / 1e6 + (children + theirSystem) / 100
}
const hashesInFull = (path: string) => /^\/\/ Full hashes: \S/m.test(readFileSync(path, 'utf8'))

// The file decides how long it may take; run.mjs ends what hangs.
tap.setTimeout(0)

for (const file of files) {
  const path = resolve(file)
  // Which backends a file runs on depends on its name.
  process.argv[1] = path
  process.stdout.write(`# file begins: ${file}\n`)
  const ran = { total: 0, pass: 0, fail: 0, skip: 0, todo: 0 }
  const before = stateOf()
  const cpuBefore = cpuSeconds()
  hashCheaply(!hashesInFull(path))
  await begin(file, { timeout: 0 }, async (t) => {
    current = t
    t.on('complete', () => Object.assign(ran, t.counts))
    await import(pathToFileURL(path).href)
  })
  const changed = files.length > 1 ? changedSince(before) : ''
  const fault = changed && `changes ${changed} of its process: say "// Runs alone: <reason>" in it`
  const cpu = cpuSeconds() - cpuBefore
  process.stdout.write(`# file ends: ${JSON.stringify({ file, fault, cpu, ...ran })}\n`)
}

// A process that stays open fails, and any of its files may be the reason.
const named = () => process.stdout.write(`# still open: ${process.getActiveResourcesInfo()}\n`)
setTimeout(named, 30_000).unref()
