// Requests that wait for another server. A tenant that names a silent server may keep only a few of them waiting.
import { createCounts } from '../limits/counts.ts'

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
  const busy = () => new OutboundBusy()
  return (source, { owner, onWait }, work) =>
    counts.run([`source ${source}`, `owner ${owner}`], busy, () => {
      onWait()
      return work()
    })
}
