import { startContenders } from './contenders.ts'
import { measureFamilyMemory } from './family-memory.ts'
import { connections, createMeasuring, type Measured } from './measure.ts'
import { compareProcesses } from './processes.ts'
import { type Operation, operations, programOperations } from './protocol.ts'
import { type Report, ratiosOf } from './report.ts'
import { withSeededStores } from './seeded.ts'
import { measureTails, steadyOf, type Tail } from './tail.ts'
import { measureVerification } from './verification.ts'

export interface Comparison {
  quick: boolean
  /** Names of servers; empty: all. */
  only: readonly string[]
  /** Empty: all. */
  operations: readonly string[]
  /** Folder for CPU profiles. */
  profile?: string | undefined
}

/** Compares all servers in one run: each operation runs on every server before the next operation begins. */
export const compare = async (comparison: Comparison): Promise<Report> => {
  const { quick, only, profile } = comparison
  const plan = quick
    ? {
        sizes: { apps: 500, organizations: 100, families: 2000 },
        rounds: 2,
        seconds: 0.5,
        tail: null,
      }
    : {
        sizes: { apps: 1000, organizations: 200, families: 12_000 },
        rounds: 7,
        seconds: 3,
        tail: { rounds: 5, peakSeconds: 2, seconds: 3, observes: false },
      }
  const chosen = operations.filter(
    (one) => comparison.operations.length === 0 || comparison.operations.includes(one),
  )
  const loadFor = (operation: Operation, seconds: number) => ({
    seconds,
    // Enough that every code is used once.
    shots: operation === 'authorization_code' ? Math.ceil(seconds * 6000) : plan.sizes.families,
  })

  const isWhole = only.length === 0 && chosen.length === operations.length && !profile
  const verification = isWhole ? await measureVerification(quick) : []
  return withSeededStores(plan.sizes, async ({ stores, env }) => {
    const profiling = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
    const running = await startContenders(env, only, profiling)
    try {
      const idle = await Promise.all(
        running.map(async ({ name, child }) => ({
          name,
          startMs: child.startMs,
          rss: (await child.usage()).rss,
        })),
      )
      const measure = createMeasuring(stores)
      const results: Measured[] = []
      const goRound = async (some: readonly Operation[], round: number) => {
        // Round 0 warms up.
        const seconds = round === 0 ? plan.seconds / 2 : plan.seconds
        for (const operation of some) {
          for (const one of running) {
            if (!one.child.operations.includes(operation)) continue
            const measured = await measure(one, operation, round, loadFor(operation, seconds))
            if (round > 0) results.push(measured)
          }
        }
      }
      // Authorizations run last: Postgres vacuums the rows that they leave, which would disturb later operations.
      for (const some of [programOperations, ['authorize'] as const]) {
        const these = some.filter((one) => chosen.includes(one))
        for (let round = 0; round <= plan.rounds; round++) await goRound(these, round)
      }
      const tails: Tail[] = []
      if (plan.tail)
        for (const operation of chosen)
          tails.push(...(await measureTails(measure, running, operation, plan.tail)))
      const processes = quick || profile || only.length > 0 ? [] : await compareProcesses(chosen)
      // In separate stores: here codes expire meanwhile and free their memory.
      const familyMemory =
        quick || profile
          ? []
          : await withSeededStores(plan.sizes, (fresh) => measureFamilyMemory(fresh.stores))
      return {
        at: new Date().toISOString(),
        versions: stores.versions,
        connections,
        plan,
        idle,
        results,
        steady: tails.map(steadyOf),
        processes,
        familyMemory,
        verification,
        ratios: ratiosOf(results),
      }
    } finally {
      await Promise.all(running.map(({ child }) => child.stop()))
    }
  })
}
