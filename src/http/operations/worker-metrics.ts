import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client'

/** Processes that serve, and how often one that died was replaced. */
export const registerWorkerMetrics = (
  registry: Registry,
  state: () => { listening: number; replaced: number },
): void => {
  const registers = [registry]
  new Gauge({
    name: 'latchkey_workers',
    help: 'Processes of this instance that serve',
    registers,
    collect() {
      this.set(state().listening)
    },
  })
  new Counter({
    name: 'latchkey_worker_replacements_total',
    help: 'Processes of this instance that died and were replaced',
    registers,
    collect() {
      this.reset()
      this.inc(state().replaced)
    },
  })
}

interface Sample {
  /** Which process; never used again. */
  process: number
  /** From `getMetricsAsJSON`; null when it did not answer in time. */
  sample: object | null
}

/**
 * Remembers what was measured, so that no counter falls when a process dies or does not answer: Prometheus would take
 * that for a restart, and all that was ever counted for new.
 * @returns takes what all processes that live have answered, and gives what to merge
 */
export const createSampleMemory = (): ((answers: readonly Sample[]) => Promise<object[]>) => {
  const last = new Map<number, object>()
  const over = new Set<number>()
  let ended = new Registry()

  const bury = async (process: number, sample: object) => {
    last.delete(process)
    over.add(process)
    const counts = (sample as { type: string }[]).filter(({ type }) => type !== 'gauge')
    ended = AggregatorRegistry.aggregate([await ended.getMetricsAsJSON(), counts])
  }

  const take = async (answers: readonly Sample[]) => {
    const alive = new Set(answers.map(({ process }) => process))
    for (const { process, sample } of answers)
      if (sample && !over.has(process)) last.set(process, sample)
    for (const [process, sample] of [...last]) if (!alive.has(process)) await bury(process, sample)
    return [...last.values(), await ended.getMetricsAsJSON()]
  }

  let turn: Promise<unknown> = Promise.resolve()
  return (answers) => {
    const taken = turn.then(() => take(answers))
    turn = taken.catch(() => undefined)
    return taken
  }
}

/**
 * The metrics of an instance of several processes as one: counters and histograms are added up, a gauge is what its
 * `aggregator` says.
 * @param samples what each process has measured, each from `getMetricsAsJSON`
 */
export const mergeMetrics = async (samples: readonly object[]): Promise<string> =>
  AggregatorRegistry.aggregate([...samples]).metrics()
