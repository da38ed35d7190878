import { type Aggregator, Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Seconds of a round trip or a request; the ones at the end are those that nobody wants to see. */
const durations = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/** The one way in which metrics are declared here: name, what it says, labels. */
export const declareIn = (registry: Registry) => {
  const registers = [registry]
  return {
    counter: <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
      new Counter({ name, help, labelNames, registers }),

    /** @param aggregator of several workers: `sum` for what each has of its own, `max` for what all of them see */
    gauge: (name: string, help: string, aggregator: Aggregator) =>
      new Gauge({ name, help, aggregator, registers }),

    /** Of seconds. */
    durations: <Label extends string>(name: string, help: string, labelNames: Label[]) =>
      new Histogram({ name, help, labelNames, buckets: durations, registers }),

    /** A gauge that is read at each scrape; when that fails it is left out, and the others are there. */
    state: <Label extends string>(
      name: string,
      help: string,
      labelNames: Label[],
      aggregator: Aggregator,
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
