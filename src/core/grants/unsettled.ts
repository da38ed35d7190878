import { StoreUnavailable } from '../language/errors.ts'
import type { GrantStore, LoadedGrant } from './store.ts'
import type { Unsettled } from './unsettled-rules.ts'

const none: readonly string[] = []
const mostPending = 100_000
const largestBatch = 200
const firstPause = 10 // ms
const longestPause = 100 // ms
/** Milliseconds that Postgres gets at least, however late the store failed. */
const shortestWait = 250

const sleep = (milliseconds: number) =>
  new Promise<void>((resolve) => void setTimeout(resolve, milliseconds).unref())

/** The higher generation counts: a client that presents the lower one replays it. */
const merged = (known: Unsettled | undefined, added: Unsettled): Unsettled => {
  if (!known || known.generation < added.generation) return added
  if (known.generation > added.generation) return known
  return { ...known, nonces: [...new Set([...known.nonces, ...added.nonces])] }
}

interface Pending {
  request: Unsettled
  recorded: Promise<void>
  settle(): void
}

/**
 * A response 503 promises that nothing was consumed. When the store does not reply, the command may have run all the
 * same. Its nonce is then recorded with the grant before the client gets 503, so that the next request, on any
 * instance, is not taken for a replay (decision 0050).
 */
export const createUnsettledRequests = (deps: {
  store: Pick<GrantStore, 'keepUnsettled'>
  /** Milliseconds in which a request must be answered, counted from its command. */
  answerWithin: number
  /** Called with the number of grants whose unsettled requests were recorded. */
  onRecorded(grants: number): void
  /** Called when a client gets its 503 before the record is written, because Postgres does not reply either. */
  onLate(): void
}) => {
  const { store } = deps
  const pending = new Map<string, Pending>()
  let writing: Promise<void> | null = null
  let isClosed = false

  const writeSome = async () => {
    const batch = new Map<string, Unsettled>()
    for (const [id, { request }] of pending) {
      batch.set(id, request)
      if (batch.size === largestBatch) break
    }
    await store.keepUnsettled(batch)
    for (const [id, request] of batch) {
      const one = pending.get(id)
      if (one?.request !== request) continue // another request was added meanwhile
      pending.delete(id)
      one.settle()
    }
    deps.onRecorded(batch.size)
  }

  /** Repeats until all are recorded: the store that did not reply to the command may be this one. */
  const writeAll = async () => {
    let pause = firstPause
    while (pending.size > 0 && !isClosed) {
      try {
        await writeSome()
        pause = firstPause
      } catch {
        await sleep(pause)
        pause = Math.min(pause * 2, longestPause)
      }
    }
    writing = null
  }

  const add = (grantId: string, request: Unsettled): Promise<void> => {
    const known = pending.get(grantId)
    if (known) {
      known.request = merged(known.request, request)
      return known.recorded
    }
    if (pending.size >= mostPending) return Promise.resolve()
    let settle = () => {}
    const recorded = new Promise<void>((resolve) => {
      settle = resolve
    })
    pending.set(grantId, { request, recorded, settle })
    writing ??= writeAll()
    return recorded
  }

  const record = async (grantId: string, request: Unsettled, answerWithin: number) => {
    const isLate = await Promise.race([
      add(grantId, request).then(() => false),
      sleep(answerWithin).then(() => true),
    ])
    if (isLate) deps.onLate()
  }

  return {
    /** Nonces of unsettled requests for this generation: those loaded with the grant and those not recorded yet. */
    noncesFor: ({ grant, unsettled }: LoadedGrant, generation: number) => {
      const here = pending.get(grant.id)?.request
      if (!here && !unsettled) return none
      const all = here ? merged(unsettled ?? undefined, here) : unsettled
      return all?.generation === generation ? all.nonces : none
    },

    /**
     * Runs a command that consumes something, and records the request if the command may or may not have run.
     * @throws whatever the command throws
     */
    attempt: async <Result>(
      grantId: string,
      generation: number,
      nonce: string,
      command: () => Promise<Result>,
    ): Promise<Result> => {
      const began = performance.now()
      try {
        return await command()
      } catch (error) {
        if (error instanceof StoreUnavailable && error.mayHaveRun) {
          const left = deps.answerWithin - (performance.now() - began)
          await record(grantId, { generation, nonces: [nonce] }, Math.max(left, shortestWait))
        }
        throw error
      }
    },

    /** Waits a moment for pending records, then stops. */
    close: async () => {
      await Promise.race([writing ?? Promise.resolve(), sleep(shortestWait)])
      isClosed = true
    },
  }
}

export type UnsettledRequests = ReturnType<typeof createUnsettledRequests>
