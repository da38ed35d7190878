/** The largest share with which so many find a place; at least one. */
const largestShare = (counts: Iterable<number>, most: number): number => {
  const ascending = [...counts].sort((one, other) => one - other)
  let room = most
  for (const [at, count] of ascending.entries()) {
    const share = Math.floor(room / (ascending.length - at))
    if (count > share) return Math.max(share, 1)
    room -= count
  }
  return most
}

/**
 * Chooses at most `most` entries, in their order: the first ones of each source, so that what a source has too many of
 * costs no other source its share. Linear, but for the sort of the counts.
 */
export const equalShares = <Entry>(
  entries: readonly Entry[],
  most: number,
  sourceOf: (entry: Entry) => string,
): Entry[] => {
  if (entries.length <= most) return [...entries]
  const counts = new Map<string, number>()
  const count = (source: string) => {
    const now = (counts.get(source) ?? 0) + 1
    counts.set(source, now)
    return now
  }
  for (const entry of entries) count(sourceOf(entry))
  const share = largestShare(counts.values(), most)
  counts.clear()
  return entries.filter((entry) => count(sourceOf(entry)) <= share).slice(0, most)
}
