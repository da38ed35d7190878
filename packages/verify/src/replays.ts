import { VerificationUnavailable } from './errors.ts'

/**
 * Remembers ids until they can no longer be replayed, and never more than a maximum. It never drops an id early to make
 * room, because that would allow a replay.
 */
export const createReplays = (most: number) => {
  /** Ids by the second in which they expire. */
  const ending = new Map<number, Set<string>>()
  let size = 0

  const forget = (at: number) => {
    for (const [until, ids] of ending) {
      if (until >= at) continue
      ending.delete(until)
      size -= ids.size
    }
  }

  return {
    /**
     * @param until whole seconds since 1970; always the same for the same id
     * @param at seconds since 1970
     * @throws VerificationUnavailable when the maximum is reached
     */
    isNew: (id: string, until: number, at: number): boolean => {
      const ids = ending.get(until) ?? new Set()
      if (ids.has(id)) return false
      if (ids.size === 0 || size >= most) forget(at)
      if (size >= most) throw new VerificationUnavailable('overloaded')
      ending.set(until, ids.add(id))
      size++
      return true
    },
  }
}
