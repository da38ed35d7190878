import { VerificationUnavailable } from './errors.ts'

/**
 * Remembers what was there until it could not come again anyway, and never more than so much: nothing is forgotten
 * before its time to make room, or it would be room for a replay.
 */
export const createReplays = (most: number) => {
  /** By the second in which they end. */
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
     * @param until whole seconds since 1970; the same each time that the same comes
     * @param at seconds since 1970
     * @throws VerificationUnavailable when there is no room
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
