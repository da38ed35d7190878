import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, startChild } from './child.ts'
import { driftOf } from './drift.ts'
import { type Heap, openSnapshots } from './heap-snapshot.ts'
import { fire } from './load.ts'
import { connections } from './measure.ts'
import { type Program, startProgram } from './program.ts'
import { programOperations, type Shot } from './protocol.ts'
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

export interface MemoryReport {
  ways: Memory[]
  /** Bytes of resident memory after each block of requests, when the server is warm. */
  blocks: number[]
  requestsOfBlock: number
  /** By which it grows with 100,000 requests, in bytes. */
  growth: number
  /** After these requests. */
  heap: Heap
}

const sizes = { apps: 500, organizations: 100, families: 4000 }
const signInsAtOnce = 4
const users = 20

/** The settings of malloc (glibc) and of V8 that are compared. */
const ways: Record<string, NodeJS.ProcessEnv> = {
  'as the system allocates': { MALLOC_MMAP_THRESHOLD_: undefined, NODE_OPTIONS: undefined },
  'MALLOC_MMAP_THRESHOLD_=1048576': { NODE_OPTIONS: undefined },
  'the image, with a young generation of 8': {},
  'the same with 4': { NODE_OPTIONS: '--max-semi-space-size=4' },
  'the same with 2': { NODE_OPTIONS: '--max-semi-space-size=2' },
}

interface Extent {
  loadSeconds: number
  signIns: number
  restSeconds: number
  blocks: number
  requestsOfBlock: number
}

const withProgram = async <Result>(
  seeded: Seeded,
  env: NodeJS.ProcessEnv,
  work: (server: Program, maker: Child) => Promise<Result>,
): Promise<Result> => {
  const server = await startProgram(seeded, { env })
  const maker = await startChild('ours-requests', {
    ...seeded.env,
    BENCH_PORT: String(server.port),
  })
  try {
    return await work(server, maker)
  } finally {
    await maker.stop()
    await server.stop()
  }
}

const fireAll = async (load: Parameters<typeof fire>[0], isOnce: boolean) => {
  const { failed, firstFailure, requests } = await fire(load, isOnce)
  if (failed > 0) throw new Error(firstFailure ?? 'a request failed')
  return requests
}

const measureOne = (
  seeded: Seeded,
  name: string,
  env: NodeJS.ProcessEnv,
  { loadSeconds, signIns, restSeconds }: Extent,
): Promise<Memory> =>
  withProgram(seeded, env, async (server, maker) => {
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
      await fireAll({ port: server.port, shots, connections, seconds: loadSeconds }, isOnce)
    }
    clearInterval(watch)
    await signInOften(server.port, people, signIns, signInsAtOnce)
    const afterSignIns = server.rss()
    await sleep(restSeconds * 1000)
    return { name, afterStart, underLoad, afterSignIns, afterRest: server.rss() }
  })

const repeated = ['client_credentials', 'refresh', 'introspection'] as const

/** Sends blocks of requests to one process, and looks at its memory after each. The first two warm it up. */
const measureGrowth = async (seeded: Seeded, { blocks: count, requestsOfBlock }: Extent) => {
  const snapshots = await openSnapshots()
  const env = { NODE_OPTIONS: `--max-semi-space-size=8 ${snapshots.options}` }
  try {
    return await withProgram(seeded, env, async (server, maker) => {
      const lists: Shot[][] = []
      for (const operation of repeated) lists.push(await maker.prepare(operation, sizes.families))
      const blocks: number[] = []
      for (let block = -2; block < count; block++) {
        for (const shots of lists) {
          const part = requestsOfBlock / lists.length
          for (let sent = 0; sent < part; )
            sent += await fireAll({ port: server.port, shots, connections, seconds: 1 }, false)
        }
        if (block >= 0) blocks.push(server.rss())
      }
      // So that an "hour" is 100,000 requests.
      const at = blocks.map((_, block) => (block * requestsOfBlock * 3600) / 100_000)
      const series = { name: 'memory', unit: 'bytes', at, values: blocks, tolerance: 1 }
      const heap = await snapshots.take(server.pid)
      return { blocks, requestsOfBlock, growth: driftOf(series).perHour, heap }
    })
  } finally {
    await snapshots.close()
  }
}

/**
 * Measures the memory of the built server: from its start to its rest, how it grows, and what it holds.
 * @param only names of settings; empty: all
 */
export const measureMemory = async (
  quick: boolean,
  only: readonly string[],
): Promise<MemoryReport> => {
  const extent: Extent = quick
    ? { loadSeconds: 1, signIns: 80, restSeconds: 5, blocks: 4, requestsOfBlock: 5000 }
    : { loadSeconds: 10, signIns: 320, restSeconds: 60, blocks: 12, requestsOfBlock: 100_000 }
  const found: Memory[] = []
  row(widths, ['RSS MB', 'after start', 'under load', 'after sign-ins', 'at rest'])
  for (const [name, env] of Object.entries(ways)) {
    if (only.length > 0 && !only.includes(name)) continue
    const memory = await withSeededStores(sizes, (seeded) => measureOne(seeded, name, env, extent))
    printWays([memory])
    found.push(memory)
  }
  const grown = await withSeededStores(sizes, (seeded) => measureGrowth(seeded, extent))
  return { ways: found, ...grown }
}

const widths = [42, 12, 12, 16, 12]
const megabytes = (bytes: number, digits = 0) => (bytes / 1024 / 1024).toFixed(digits)

const printWays = (ways: readonly Memory[]) => {
  for (const { name, afterStart, underLoad, afterSignIns, afterRest } of ways)
    row(widths, [
      name,
      ...[afterStart, underLoad, afterSignIns, afterRest].map((bytes) => megabytes(bytes)),
    ])
}

export const printMemory = ({ blocks, requestsOfBlock, growth, heap }: MemoryReport) => {
  const course = blocks.map((bytes) => megabytes(bytes)).join(' ')
  console.log(`\nRSS MB after each ${requestsOfBlock} requests: ${course}`)
  console.log(`growth with 100,000 requests: ${megabytes(growth, 2)} MB`)
  console.log('\nheld in the heap, MB')
  for (const { name, bytes } of heap.kinds) row([24, 8], [name, megabytes(bytes, 1)])
  console.log('the largest texts, MB')
  for (const { name, bytes } of heap.texts) row([72, 8], [name, megabytes(bytes, 1)])
}
