import cluster from 'node:cluster'
import type { Registry } from 'prom-client'
import { createDialogue } from './dialogue.ts'

/** The environment variable with the number of a worker. */
export const numberVariable = 'LATCHKEY_WORKER'

/** The place of this process; null when it is not a worker. */
export const findWorkerPlace = () => {
  if (!cluster.isWorker) return null
  let registry: Registry | null = null
  let readiness: (() => Promise<object>) | null = null
  const send = (message: object) => {
    // When the primary has exited, its workers exit too.
    if (process.connected) process.send?.(message)
  }
  const ask = createDialogue(
    { send, listen: (receive) => process.on('message', receive) },
    {
      sample: async () => (await registry?.getMetricsAsJSON()) ?? [],
      readiness: async () => (await readiness?.()) ?? null,
    },
  )
  return {
    /** Starts at 1. A replacement gets the number of the crashed worker. */
    number: Number(process.env[numberVariable]),
    /** Offers the metrics and readiness of this process to the primary. */
    show: (shown: Registry, ready: () => Promise<object>) => {
      registry = shown
      readiness = ready
    },
    /** The metrics of all workers together. */
    metrics: async () => String(await ask('metrics')),
    /** Reports that this process listens. */
    ready: () => send({ ready: true }),
  }
}

/** The place of this process among the workers of its instance. */
export type WorkerPlace = NonNullable<ReturnType<typeof findWorkerPlace>>
