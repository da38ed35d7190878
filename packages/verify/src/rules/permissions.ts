/** The two generations of the interface. Apps, key sets, permissions and credentials belong to one of them. */
export type Interface = 'legacy' | 'current'

/** Up to this length, a list is searched faster than a set is made. */
const short = 32

/** Tells whether a list has an entry. A long list becomes a set, so that many questions cost no product of lengths. */
export const entriesOf = (list: readonly string[]): ((one: string) => boolean) => {
  if (list.length <= short) return (one) => list.includes(one)
  const set = new Set(list)
  return (one) => set.has(one)
}

/** The entries of `first` that all other lists contain, in the order of `first`. */
export const intersect = <Name extends string>(
  first: readonly Name[],
  ...others: readonly (readonly string[])[]
) => {
  const has = others.map(entriesOf)
  return first.filter((one) => has.every((other) => other(one)))
}
