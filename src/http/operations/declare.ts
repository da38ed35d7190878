import { type Aggregator, Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Buckets in seconds for round trips and requests. The last ones catch unacceptable durations. */
const durations = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/** Declares the metrics of this server: name, help text, labels. */
export const declareIn = (registry: Registry) => {
  const registers = [registry]
  return {
    counter: <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
      new Counter({ name, help, labelNames, registers }),

    /** @param aggregator how to merge workers: `sum` for values of one worker, `max` for values that all workers see */
    gauge: (name: string, help: string, aggregator: Aggregator) =>
      new Gauge({ name, help, aggregator, registers }),

    /** A histogram of durations in seconds. */
    durations: <Label extends string>(name: string, help: string, labelNames: Label[]) =>
      new Histogram({ name, help, labelNames, buckets: durations, registers }),

    /** A gauge that is read at each scrape. When reading fails, only this gauge is omitted. */
    state:
      (aggregator: Aggregator) =>
      <Label extends string>(
        name: string,
        help: string,
        labelNames: Label[],
        read: (one: Gauge<Label>) => Promise<void> | void,
      ) =>
        new Gauge({
          name,
          help,
          labelNames,
          aggregator,
          registers,
          async collect() {
            this.reset()
            await Promise.resolve(read(this)).catch(() => this.reset())
          },
        }),
  }
}

export type Declare = ReturnType<typeof declareIn>
