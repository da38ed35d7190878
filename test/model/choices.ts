import type { Day, DayFamily } from './day.ts'
import type { Step } from './steps.ts'

/**
 * Applies a step to the servers and to the model; steps that are impossible at that time are
 * skipped.
 */
export type Drive<Kind extends Step['do']> = {
  [K in Kind]: (day: Day, step: Extract<Step, { do: K }>) => Promise<void>
}

/** The element that a step's number selects; undefined if there is none. */
export const pick = <Item>(list: readonly Item[], number: number): Item | undefined =>
  list[number % Math.max(1, list.length)]

/** Prefers one that has not ended, because more can go wrong there. */
export const pickFamily = ({ families }: Day, number: number): DayFamily | undefined => {
  const open = families.filter((family) => !family.ended)
  return number > 5 || open.length === 0 ? pick(families, number) : pick(open, number)
}

/** Those whose bit is set. */
export const part = (list: readonly string[], mask: number) =>
  list.filter((_, at) => (mask >> at) & 1)

export const urlAt = ({ running }: Day, at: number) => running.urls[at] as string
