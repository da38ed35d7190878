/** A bounded map that drops the least recently used half. */
export interface Recent<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  deleteWhere(isOut: (value: Value) => boolean): void
  clear(): void
}

/**
 * Two generations instead of a list in order of use: a hit in the younger one costs one lookup and changes nothing.
 * @param most maximum sum of the weights; without `weigh`, the maximum number of entries
 */
export const createRecent = <Value>(
  most: number,
  weigh: (value: Value) => number = () => 1,
): Recent<Value> => {
  const half = Math.max(1, Math.ceil(most / 2))
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  /** Of the younger generation. */
  let weight = 0

  const set = (key: string, value: Value) => {
    if (weight >= half) {
      old = young
      young = new Map()
      weight = 0
    }
    const replaced = young.get(key)
    weight += weigh(value) - (replaced === undefined ? 0 : weigh(replaced))
    young.set(key, value)
  }

  return {
    get: (key) => {
      const found = young.get(key)
      if (found !== undefined) return found
      const older = old.get(key)
      if (older !== undefined) set(key, older)
      return older
    },
    set: (key, value) => {
      // Otherwise a deleted or replaced value would return from the older generation.
      old.delete(key)
      set(key, value)
    },
    deleteWhere: (isOut) => {
      for (const map of [young, old])
        for (const [key, value] of map)
          if (isOut(value)) {
            map.delete(key)
            if (map === young) weight -= weigh(value)
          }
    },
    clear: () => {
      young.clear()
      old.clear()
      weight = 0
    },
  }
}
