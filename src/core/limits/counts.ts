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
  const hasRoom = (names: readonly string[]) =>
    total < all && names.every((name) => of(name) < each)
  return {
    of,
    hasRoom,
    add: (names: readonly string[]) => change(names, 1),
    remove: (names: readonly string[]) => change(names, -1),
    /** Runs the work if there is room for it. @throws the refusal at once when there is none */
    run: async <Result>(
      names: readonly string[],
      refusal: () => Error,
      work: () => Promise<Result>,
    ): Promise<Result> => {
      if (!hasRoom(names)) throw refusal()
      change(names, 1)
      try {
        return await work()
      } finally {
        change(names, -1)
      }
    },
  }
}
