import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client'

/** Registers the number of serving processes and of replaced ones. */
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
  /** Process number; never reused. */
  process: number
  /** From `getMetricsAsJSON`; null when the process did not answer in time. */
  sample: object | null
}

/**
 * Keeps the last samples, so that no counter falls when a process dies or does not answer. Prometheus would take a fall
 * for a restart and count the whole total again.
 * @returns a function that takes the answers of all live processes and returns the samples to merge
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
 * Merges the metrics of several processes: counters and histograms are added, gauges follow their `aggregator`.
 * @param samples one per process, from `getMetricsAsJSON`
 */
export const mergeMetrics = async (samples: readonly object[]): Promise<string> =>
  AggregatorRegistry.aggregate([...samples]).metrics()
