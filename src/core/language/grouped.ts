/** The values by their keys, in their order. `Map.groupBy` needs Node.js 21. */
export const groupedBy = <Key, Value>(values: readonly Value[], keyOf: (value: Value) => Key) => {
  const groups = new Map<Key, [Value, ...Value[]]>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group) group.push(value)
    else groups.set(keyOf(value), [value])
  }
  return groups
}
