/** At most so many at once. Further ones wait for their turn, in order. */
const createSlots = (most: number) => {
  let occupied = 0
  const waiting = new Set<() => void>()
  const take = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted()
    if (occupied < most) {
      occupied++
      return
    }
    await new Promise<void>((resolve, reject) => {
      const proceed = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        waiting.delete(proceed)
        reject(signal.reason)
      }
      waiting.add(proceed)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }
  const release = () => {
    const [next] = waiting
    if (next === undefined) {
      occupied--
      return
    }
    waiting.delete(next)
    next()
  }
  return { take, release, isEmpty: () => occupied === 0 }
}

type Slots = ReturnType<typeof createSlots>

/**
 * Slots for requests to other servers. A host has few of them, so one that does not answer cannot occupy all.
 */
export const createFetchSlots = ({ all, perHost }: { all: number; perHost: number }) => {
  const everyHost = createSlots(all)
  const hosts = new Map<string, Slots>()

  const ofHost = (host: string) => {
    const slots = hosts.get(host) ?? createSlots(perHost)
    hosts.set(host, slots)
    return slots
  }

  /** Runs the work in a slot. @throws the signal's reason when it aborts first */
  return async <Result>(
    host: string,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const own = ofHost(host)
    try {
      await own.take(signal)
    } catch (error) {
      if (own.isEmpty()) hosts.delete(host)
      throw error
    }
    try {
      await everyHost.take(signal)
      try {
        return await work()
      } finally {
        everyHost.release()
      }
    } finally {
      own.release()
      if (own.isEmpty()) hosts.delete(host)
    }
  }
}
