// The code that a user types or confirms, to approve a device.
import { randomInt } from 'node:crypto'

// RFC 8628 §6.1: no vowels, so that codes form no words, and no characters that look alike. 20^8 codes.
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8

const shape = new RegExp(`^[${letters}]{${length}}$`)

/** Is this a user code in its stored form? */
export const isUserCode = (text: string) => shape.test(text)

/** A new user code in its stored form. */
export const newUserCode = (pick: (below: number) => number = randomInt): string =>
  Array.from({ length }, () => letters[pick(letters.length)]).join('')

/** As displayed to users. */
export const shownUserCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`

/** Normalises a typed code: ignores case, dash and blanks. @returns null when it cannot be a user code */
export const readUserCode = (typed: string): string | null => {
  if (typed.length > 100) return null
  const code = typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  return isUserCode(code) ? code : null
}
