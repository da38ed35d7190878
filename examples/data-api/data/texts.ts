import { badInput } from './faults.ts'
import { limits } from './limits.ts'

/** A null character or half a surrogate pair, which the database cannot store. */
const unstorable = /\0|[\ud800-\udfff]/u

/** @returns null if it is no text that can be stored */
export const readText = (given: unknown, most: number): string | null =>
  typeof given === 'string' && given.length <= most && !unstorable.test(given) ? given : null

/** @throws Fault if it is no text, blank or too long */
export const nameIn = (given: unknown, place: string, most: number = limits.name): string => {
  const name = readText(given, most)
  if (!name?.trim()) throw badInput(`a name of at most ${most} characters`, place)
  return name
}
