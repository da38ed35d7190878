// The work that one SCIM request may cause, and its slices.
import { setImmediate } from 'node:timers/promises'
import { tooMany } from './scim-error.ts'

/** Counts comparisons. */
export interface WorkBudget {
  /** @throws ScimError tooMany */
  spend(comparisons: number): void
}

const mostComparisons = 100_000

export const createWorkBudget = (most = mostComparisons): WorkBudget => {
  let left = most
  return {
    spend: (comparisons) => {
      left -= comparisons
      if (left < 0) throw tooMany('the request needs too many comparisons; use fewer terms')
    },
  }
}

/** A part of the budget, for work that is not sliced. */
export const within = (budget: WorkBudget, most: number): WorkBudget => {
  const own = createWorkBudget(most)
  return {
    spend: (comparisons) => {
      budget.spend(comparisons)
      own.spend(comparisons)
    },
  }
}

/** Milliseconds of one slice. */
const slice = 5

/** Returns a function that yields to the event loop when the slice is used up. */
export const createSlices = () => {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < slice) return
    await setImmediate()
    began = performance.now()
  }
}

/** The items for which `accepts` is true. */
export const filterInSlices = async <Item>(
  items: readonly Item[],
  accepts: (item: Item) => boolean,
): Promise<Item[]> => {
  const rest = createSlices()
  const found: Item[] = []
  for (const item of items) {
    if (accepts(item)) found.push(item)
    await rest()
  }
  return found
}
