import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { freePort } from './free-port.ts'
import { median } from './measure.ts'
import { programEnvironment, programs, startProgram } from './program.ts'
import { row } from './report.ts'
import { type Seeded, withSeededStores } from './seeded.ts'

/** Medians of one way to start a process: until the server is ready, or until the command has exited. */
export interface Start {
  name: string
  cpuMs: number
  wallMs: number
  /** Resident memory in bytes; NaN for a command. */
  rss: number
}

type Once = () => Promise<Omit<Start, 'name'>>

const sizes = { apps: 50, organizations: 10, families: 100 }

const starts =
  (seeded: Seeded, program: string): Once =>
  async () => {
    const running = await startProgram(seeded, { program })
    const figures = { cpuMs: running.cpuMs(), wallMs: running.readyMs, rss: running.rss() }
    await running.stop()
    return figures
  }

/** CPU of exited children in ms, in steps of 10 ms (proc(5)). */
const childrenMs = () => {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

const commands =
  (args: string[], env: NodeJS.ProcessEnv): Once =>
  async () => {
    const before = childrenMs()
    const began = performance.now()
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    const code = await new Promise((resolve) => child.once('exit', resolve))
    const wallMs = performance.now() - began
    if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}`)
    return { cpuMs: childrenMs() - before, wallMs, rss: Number.NaN }
  }

const widths = [34, 8, 9, 8]
const cell = (value: number) => (Number.isFinite(value) ? value.toFixed(0) : '–')

const print = ({ name, cpuMs, wallMs, rss }: Start) =>
  row(widths, [name, cell(cpuMs), cell(wallMs), cell(rss / 1024 / 1024)])

/**
 * Measures how long the server and the command line take to start, bundled and as separate modules, beside Node
 * alone. The stores are given and migrated. The ways take turns.
 */
export const measureStart = async (rounds: number): Promise<Start[]> =>
  withSeededStores(sizes, async (seeded) => {
    const server = await startProgram(seeded)
    const env = programEnvironment(seeded, server.port)
    const unused = programEnvironment(seeded, await freePort())
    const ways: [string, Once][] = [
      ['Node alone', commands(['--eval', '0'], unused)],
      ['latchkey serve', starts(seeded, programs.bundled)],
      ['latchkey serve, separate modules', starts(seeded, programs.modules)],
      ['latchkey --help', commands([programs.bundled, '--help'], unused)],
      ['latchkey app list', commands([programs.bundled, 'app', 'list', '--json'], env)],
      ['latchkey migrate', commands([programs.bundled, 'migrate'], unused)],
      [
        'latchkey app list, separate modules',
        commands([programs.modules, 'app', 'list', '--json'], env),
      ],
    ]
    const found = new Map(ways.map(([name]) => [name, [] as Omit<Start, 'name'>[]]))
    try {
      // Round 0 fills the caches of the system.
      for (let round = 0; round <= rounds; round++) {
        for (const [name, once] of ways) {
          const figures = await once()
          if (round > 0) found.get(name)?.push(figures)
        }
      }
    } finally {
      await server.stop()
    }
    return [...found].map(([name, all]) => ({
      name,
      cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
      wallMs: median(all.map(({ wallMs }) => wallMs)),
      rss: median(all.map(({ rss }) => rss)),
    }))
  })

export const printStart = (starts: readonly Start[]) => {
  row(widths, ['median', 'CPU ms', 'wall ms', 'RSS MB'])
  for (const one of starts) print(one)
}
