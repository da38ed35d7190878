// Requests that wait for another server. A tenant that names a silent server may keep only a few of them waiting.

/** A request to this server that another server may have to answer first. */
export interface Waiter {
  /** The app, organization or host that named the other server. */
  owner: string
  /** Called before each wait: from now on the request only waits, and its duration is not that of this server. */
  onWait(): void
}

/** Too much waits for other servers. The other server is not to blame, and the caller may try again. */
export class OutboundBusy extends Error {
  constructor() {
    super('too much waits for other servers')
    this.name = 'OutboundBusy'
  }
}

/** Counts what is under way, in all and for each name. */
export const createCounts = ({ all, each }: { all: number; each: number }) => {
  const counts = new Map<string, number>()
  let total = 0
  const of = (name: string) => counts.get(name) ?? 0
  const change = (names: readonly string[], by: 1 | -1) => {
    total += by
    for (const name of names) {
      if (of(name) + by === 0) counts.delete(name)
      else counts.set(name, of(name) + by)
    }
  }
  return {
    of,
    hasRoom: (names: readonly string[]) => total < all && names.every((name) => of(name) < each),
    add: (names: readonly string[]) => change(names, 1),
    remove: (names: readonly string[]) => change(names, -1),
  }
}

/**
 * Lets a request wait for a source of another server.
 * @throws OutboundBusy at once, when too many requests wait for this source, for this owner or in all
 */
export type Wait = <Result>(
  source: string,
  waiter: Waiter,
  work: () => Promise<Result>,
) => Promise<Result>

/** @param most requests that wait; `each` for one source, and for one owner */
export const createWait = (most: { all: number; each: number }): Wait => {
  const counts = createCounts(most)
  return async (source, { owner, onWait }, work) => {
    const names = [`source ${source}`, `owner ${owner}`]
    if (!counts.hasRoom(names)) throw new OutboundBusy()
    counts.add(names)
    try {
      onWait()
      return await work()
    } finally {
      counts.remove(names)
    }
  }
}
