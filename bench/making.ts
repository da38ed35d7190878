/** Makes `count` items, some at once, in their order. */
export const inLanes = async <Item>(
  count: number,
  atOnce: number,
  make: (at: number) => Promise<Item>,
): Promise<Item[]> => {
  const made: Item[] = []
  let next = 0
  const lane = async () => {
    for (let at = next++; at < count; at = next++) made[at] = await make(at)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return made
}

/** Makes the item of each number only once. */
export const madeOnce = <Item>(make: (at: number) => Promise<Item>) => {
  const made = new Map<number, Promise<Item>>()
  return (at: number): Promise<Item> => {
    const item = made.get(at) ?? make(at)
    made.set(at, item)
    return item
  }
}
