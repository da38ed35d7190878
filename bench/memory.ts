import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from './child.ts'
import { fire } from './load.ts'
import { connections } from './measure.ts'
import { startProgram } from './program.ts'
import { programOperations } from './protocol.ts'
import { row } from './report.ts'
import { type Seeded, withSeededStores } from './seeded.ts'
import { createPeople, signInOften } from './sign-ins.ts'

/** Resident memory of one server process in bytes, in the order in which it was read. */
export interface Memory {
  name: string
  afterStart: number
  /** The largest value during token requests at the peak rate. */
  underLoad: number
  afterSignIns: number
  afterRest: number
}

const sizes = { apps: 500, organizations: 100, families: 4000 }
const signInsAtOnce = 4
const users = 20

/** The settings of malloc (glibc) that are compared. */
const ways: Record<string, NodeJS.ProcessEnv> = {
  'as the system allocates': { MALLOC_MMAP_THRESHOLD_: undefined },
  'MALLOC_ARENA_MAX=1': { MALLOC_MMAP_THRESHOLD_: undefined, MALLOC_ARENA_MAX: '1' },
  'MALLOC_MMAP_THRESHOLD_=1048576': {},
  both: { MALLOC_ARENA_MAX: '1' },
}

interface Extent {
  loadSeconds: number
  signIns: number
  restSeconds: number
}

const measureOne = async (
  seeded: Seeded,
  name: string,
  env: NodeJS.ProcessEnv,
  { loadSeconds, signIns, restSeconds }: Extent,
): Promise<Memory> => {
  const server = await startProgram(seeded, { env })
  const maker = await startChild('ours-requests', {
    ...seeded.env,
    BENCH_PORT: String(server.port),
  })
  try {
    await sleep(1000)
    const afterStart = server.rss()
    const people = await createPeople(server.port, users)
    let underLoad = 0
    const watch = setInterval(() => {
      underLoad = Math.max(underLoad, server.rss())
    }, 50)
    for (const operation of programOperations) {
      const isOnce = operation === 'authorization_code'
      const count = isOnce ? loadSeconds * 3000 : sizes.families
      const shots = await maker.prepare(operation, count)
      const load = { port: server.port, shots, connections, seconds: loadSeconds }
      const { failed, firstFailure } = await fire(load, isOnce)
      if (failed > 0) throw new Error(`${operation}: ${firstFailure}`)
    }
    clearInterval(watch)
    await signInOften(server.port, people, signIns, signInsAtOnce)
    const afterSignIns = server.rss()
    await sleep(restSeconds * 1000)
    return { name, afterStart, underLoad, afterSignIns, afterRest: server.rss() }
  } finally {
    await maker.stop()
    await server.stop()
  }
}

/** Measures the memory of the built server: after its start, under load, after many sign-ins and when idle again. */
export const measureMemory = async (quick: boolean): Promise<Memory[]> => {
  const extent: Extent = quick
    ? { loadSeconds: 1, signIns: 80, restSeconds: 5 }
    : { loadSeconds: 10, signIns: 320, restSeconds: 60 }
  const found: Memory[] = []
  for (const [name, env] of Object.entries(ways)) {
    found.push(await withSeededStores(sizes, (seeded) => measureOne(seeded, name, env, extent)))
  }
  return found
}

const widths = [30, 12, 12, 16, 12]
const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(0)

export const printMemory = (all: readonly Memory[]) => {
  row(widths, ['RSS MB', 'after start', 'under load', 'after sign-ins', 'at rest'])
  for (const { name, afterStart, underLoad, afterSignIns, afterRest } of all)
    row(widths, [name, ...[afterStart, underLoad, afterSignIns, afterRest].map(megabytes)])
}
