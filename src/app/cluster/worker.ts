import cluster from 'node:cluster'
import type { Registry } from 'prom-client'
import { createDialogue } from './dialogue.ts'

/** The place of this process among the workers of its instance. */
export interface WorkerPlace {
  /** From 1 on; who takes the place of one that died has its number. */
  number: number
  /** Shows its own metrics and its readiness to the primary. */
  show(registry: Registry, readiness: () => Promise<object>): void
  /** The metrics of all workers together. */
  metrics(): Promise<string>
  /** Says that it listens. */
  ready(): void
}

/** Names the variable by which a worker learns its number. */
export const numberVariable = 'LATCHKEY_WORKER'

/** null: this process is no worker. */
export const findWorkerPlace = (): WorkerPlace | null => {
  if (!cluster.isWorker) return null
  let registry: Registry | null = null
  let readiness: (() => Promise<object>) | null = null
  const send = (message: object) => {
    // A primary that is gone takes its workers with it.
    if (process.connected) process.send?.(message)
  }
  const ask = createDialogue(
    { send, listen: (hear) => process.on('message', hear) },
    {
      sample: async () => (await registry?.getMetricsAsJSON()) ?? [],
      readiness: async () => (await readiness?.()) ?? null,
    },
  )
  return {
    number: Number(process.env[numberVariable]),
    show: (shown, ready) => {
      registry = shown
      readiness = ready
    },
    metrics: async () => String(await ask('metrics')),
    ready: () => send({ ready: true }),
  }
}
