import { AggregatorRegistry, Counter, Gauge, type Registry } from 'prom-client'

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

/**
 * The metrics of an instance of several processes as one: counters and histograms are added up, a gauge is what its
 * `aggregator` says.
 * @param samples what each process has measured, each from `getMetricsAsJSON`
 */
export const mergeMetrics = async (samples: readonly object[]): Promise<string> =>
  AggregatorRegistry.aggregate([...samples]).metrics()
