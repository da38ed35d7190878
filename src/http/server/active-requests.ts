import type { IncomingMessage } from 'node:http'

export interface ActiveRequest {
  request: IncomingMessage
  network: string
  /** Its current index in the list; -1 once it is removed. */
  at: number
}

/**
 * The requests that occupy a slot, in no order. A Set would not do: its hash tables link to their successors, so an old
 * table retains all later ones until a full garbage collection (decision 0042).
 */
export const createActiveRequests = () => {
  const entries: ActiveRequest[] = []
  return {
    size: () => entries.length,
    add: (request: IncomingMessage, network: string): ActiveRequest => {
      const entry = { request, network, at: entries.length }
      entries.push(entry)
      return entry
    },
    /** @returns false when it had been removed before */
    remove: (entry: ActiveRequest) => {
      if (entry.at < 0) return false
      const last = entries.pop() as ActiveRequest
      if (last !== entry) {
        entries[entry.at] = last
        last.at = entry.at
      }
      entry.at = -1
      return true
    },
    countOf: (network: string) =>
      entries.reduce((count, entry) => (entry.network === network ? count + 1 : count), 0),
    /** True when at least this many of them were received in full. */
    hasComplete: (count: number) => {
      let seen = 0
      return entries.some(({ request }) => request.complete && ++seen >= count)
    },
  }
}
