/** The two generations of the interface. Apps, key sets, permissions and credentials belong to one of them. */
export type Interface = 'legacy' | 'current'

/** The entries of `first` that all other lists contain, in the order of `first`. */
export const intersect = <Name extends string>(
  first: readonly Name[],
  ...others: readonly (readonly string[])[]
) => first.filter((one) => others.every((other) => other.includes(one)))
