/** A bounded map that forgets what was not used for longest, by halves. */
export interface Recent<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  deleteWhere(isOut: (value: Value) => boolean): void
  clear(): void
}

/**
 * Two generations instead of a list in order of use: a hit in the younger one costs one look-up and changes nothing.
 * @param most entries that are kept
 */
export const createRecent = <Value>(most: number): Recent<Value> => {
  const half = Math.max(1, Math.ceil(most / 2))
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()

  const set = (key: string, value: Value) => {
    if (young.size >= half) {
      old = young
      young = new Map()
    }
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
      // Else what was deleted or replaced would come back from the older generation.
      old.delete(key)
      set(key, value)
    },
    deleteWhere: (isOut) => {
      for (const map of [young, old])
        for (const [key, value] of map) if (isOut(value)) map.delete(key)
    },
    clear: () => {
      young.clear()
      old.clear()
    },
  }
}
