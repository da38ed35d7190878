import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Child, startChild } from './child.ts'
import { fire, type LoadResult } from './load.ts'
import { type Operation, operations } from './protocol.ts'
import { printTable, ratiosOf } from './report.ts'
import { type Sizes, seed } from './seed.ts'
import { startStores } from './stores.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    operation: { type: 'string', multiple: true },
    json: { type: 'string' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

/** A server under test, and what tells it from another of its kind. */
const contenders = [
  { name: 'floor', script: 'floor', env: {} },
  { name: 'floor without SQL', script: 'floor', env: { FLOOR_SQL: '0' } },
  { name: 'ours', script: 'ours', env: {} },
  { name: 'oidc-provider', script: 'oidc-provider', env: {} },
  { name: '@node-oauth/oauth2-server', script: 'node-oauth', env: {} },
] as const
export type Contender = (typeof contenders)[number]['name']

/** One operation of one server in one round. CPU of the server process in µs a request. */
export interface Measured extends LoadResult {
  contender: Contender
  operation: Operation
  round: number
  cpuMicros: number
  rss: number
}

const connections = 32
/** One CPU profile for each server, for Chromium's developer tools. */
const profiling = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : []
const chosenOperations = operations.filter(
  (one) => !values.operation || values.operation.includes(one),
)
const plan: { sizes: Sizes; rounds: number; seconds: number } = values.quick
  ? { sizes: { apps: 500, organizations: 100, families: 4000 }, rounds: 2, seconds: 0.8 }
  : { sizes: { apps: 1000, organizations: 200, families: 12_000 }, rounds: 7, seconds: 4 }

/** Enough for every code to be spent once. */
const shotsFor = (operation: Operation) =>
  operation === 'authorization_code' ? Math.ceil(plan.seconds * 3000) : plan.sizes.families

interface Running {
  name: Contender
  child: Child
  shots: Map<Operation, Awaited<ReturnType<Child['prepare']>>>
}

const measure = async (
  { name, child, shots }: Running,
  operation: Operation,
  round: number,
  seconds: number,
) => {
  const isSpent = operation === 'authorization_code'
  const known = isSpent ? undefined : shots.get(operation)
  const ready = known ?? (await child.prepare(operation, shotsFor(operation)))
  shots.set(operation, ready)
  const before = await child.usage()
  const result = await fire({ port: child.port, shots: ready, connections, seconds }, isSpent)
  const after = await child.usage()
  if (result.failed > 0)
    throw new Error(`${name}, ${operation}: ${result.failed} failed: ${result.firstFailure}`)
  const cpuMicros = (after.cpuMicros - before.cpuMicros) / result.requests
  return {
    contender: name,
    operation,
    round,
    cpuMicros,
    rss: after.rss,
    ...result,
  } satisfies Measured
}

const run = async () => {
  const stores = await startStores()
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-bench-sample-'))
  const running: Running[] = []
  try {
    const masterKey = randomBytes(32)
    const sample = await seed(stores, masterKey, plan.sizes)
    const file = join(directory, 'sample.json')
    await writeFile(file, JSON.stringify(sample))
    const env = {
      BENCH_DATABASE_URL: stores.databaseUrl,
      BENCH_REDIS_URL: stores.redisUrl,
      BENCH_MASTER_KEY: masterKey.toString('base64'),
      BENCH_SAMPLE: file,
    }
    const chosen = contenders.filter(({ name }) => !values.only || values.only.includes(name))
    for (const { name, script, env: own } of chosen) {
      running.push({
        name,
        child: await startChild(script, { ...env, ...own }, profiling),
        shots: new Map(),
      })
    }
    const idle = await Promise.all(
      running.map(async ({ name, child }) => ({
        name,
        startMs: child.startMs,
        rss: (await child.usage()).rss,
      })),
    )
    const results: Measured[] = []
    // Round 0 warms up; from then on each operation goes round all servers before the next one begins.
    for (let round = 0; round <= plan.rounds; round++) {
      for (const operation of chosenOperations) {
        for (const one of running) {
          if (!one.child.operations.includes(operation)) continue
          const measured = await measure(
            one,
            operation,
            round,
            round === 0 ? plan.seconds / 2 : plan.seconds,
          )
          if (round > 0) results.push(measured)
        }
      }
    }
    const report = {
      at: new Date().toISOString(),
      versions: stores.versions,
      connections,
      plan,
      idle,
      results,
      ratios: ratiosOf(results),
    }
    printTable(report)
    if (values.json) await writeFile(values.json, JSON.stringify(report, null, 2))
  } finally {
    await Promise.all(running.map(({ child }) => child.stop()))
    await rm(directory, { recursive: true, force: true })
    await stores.stop()
  }
}

if (values.help) {
  console.log(
    'npm run bench -- [--quick] [--only <server>]… [--operation <operation>]… [--json <file>] [--profile <directory>]',
  )
} else await run()
