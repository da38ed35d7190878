import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDialogue } from './dialogue.ts'
import { numberVariable } from './worker.ts'

/** Thrown when a worker exits before listening. Its own log says why. */
export class WorkerFailed extends Error {
  readonly exitCode: number

  constructor(exitCode: number) {
    super('a worker did not start')
    this.name = 'WorkerFailed'
    this.exitCode = exitCode
  }
}

interface WorkerSlot {
  worker: Worker
  listening: boolean
  ask(question: string): Promise<unknown>
}

type Log = (about: object, message: string) => void

interface End {
  code: number | null
  signal: NodeJS.Signals | null
}

/** For glibc: the memory of a password hash is returned at once (decision 0056). Other systems ignore it. */
const returnedMemory = { MALLOC_MMAP_THRESHOLD_: '1048576' }

const longLife = 10_000 // ms of uptime after which a crash counts as unrelated to the previous one
const shortestPause = 100 // ms
const longestPause = 10_000 // ms

/**
 * Runs the workers of an instance: several whole servers on one port. A worker that crashes is replaced after a pause.
 * The pause grows while crashes follow each other quickly.
 * @param options.metrics the metrics of all workers, for a worker that serves them
 */
export const createPrimary = (options: {
  workers: number
  logger: { info: Log; error: Log }
  metrics(): Promise<string>
}) => {
  const { workers, logger, metrics } = options
  const places = new Map<number, WorkerSlot>()
  const ends = new Set<Promise<End>>()
  let replaced = 0
  let closing = false
  // Metrics contain numbers that JSON cannot represent.
  cluster.setupPrimary({ serialization: 'advanced' })

  /** Starts a worker. `listens` resolves with null when it listens, or with its exit. */
  const launch = (number: number) => {
    const worker = cluster.fork({ ...returnedMemory, ...process.env, [numberVariable]: number })
    const send = (message: object) => {
      if (worker.isConnected()) worker.send(message, () => undefined)
    }
    const ask = createDialogue(
      { send, listen: (receive) => worker.on('message', receive) },
      { metrics },
    )
    const place = { worker, listening: false, ask }
    places.set(number, place)
    const ended = new Promise<End>((resolve) => {
      worker.on('exit', (code, signal) => resolve({ code, signal: signal as End['signal'] }))
      // The process could not be started. Errors of messages to an exited worker need no handling.
      worker.on('error', () => {
        if (worker.process.pid === undefined) resolve({ code: 1, signal: null })
      })
    }).finally(() => {
      place.listening = false
    })
    ends.add(ended)
    void ended.finally(() => ends.delete(ended))
    const ready = new Promise<null>((resolve) =>
      worker.on('message', (message: object) => {
        if (!('ready' in message)) return
        place.listening = true
        logger.info({ worker: number, pid: worker.process.pid }, 'worker listens')
        resolve(null)
      }),
    )
    return { listens: Promise.race([ready, ended]), ended }
  }

  /** Replaces every worker that crashes in this place. */
  const keep = async (number: number, first: Promise<End>) => {
    let pause = 0
    let began = performance.now()
    for (let ended = first; ; ) {
      const { code, signal } = await ended
      if (closing) return
      pause =
        performance.now() - began > longLife
          ? 0
          : Math.min(Math.max(pause * 2, shortestPause), longestPause)
      logger.error({ worker: number, code, signal, pause }, 'worker died')
      await sleep(pause)
      if (closing) return
      replaced++
      began = performance.now()
      ended = launch(number).ended
    }
  }

  const fill = async (number: number) => {
    const { listens, ended } = launch(number)
    const end = await listens
    if (closing) return
    if (end) throw new WorkerFailed(end.code || 1)
    void keep(number, ended)
  }

  const listening = () => [...places.values()].filter((place) => place.listening)

  const askAll = <Result>(
    question: string,
    read: (place: WorkerSlot, answer: object | null) => Result,
  ): Promise<Result[]> =>
    Promise.all(
      listening().map(async (place) =>
        read(place, (await place.ask(question).catch(() => null)) as object | null),
      ),
    )

  /** Shuts all workers down and waits for them. @throws Error when one did not end in order */
  const close = async () => {
    closing = true
    for (const { worker } of places.values()) worker.process.kill('SIGTERM')
    const all = await Promise.all(ends)
    if (all.some(({ code }) => code !== 0 && code !== null))
      throw new Error('a worker did not shut down cleanly')
  }

  return {
    /**
     * Starts the workers, the first one alone.
     * @returns false when it was closed meanwhile
     * @throws WorkerFailed when a worker exits before listening
     */
    start: async () => {
      try {
        await fill(1) // a fault concerns all workers, so the first one alone reports it
        await Promise.all(Array.from({ length: workers - 1 }, (_, at) => fill(at + 2)))
        return !closing
      } catch (error) {
        await close().catch(() => undefined)
        throw error
      }
    },
    /** The metrics of each listening worker. `process` is never reused. */
    samples: () => askAll('sample', ({ worker }, sample) => ({ process: worker.id, sample })),
    /** The readiness of each listening worker; null when it did not answer in time. */
    readiness: () => askAll('readiness', (_, answer) => answer),
    /** The number of listening workers, and of replacements. */
    state: () => ({ listening: listening().length, replaced }),
    close,
  }
}
