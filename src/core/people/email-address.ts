import { type Fault, faultAt } from '../language/faults.ts'

export const longestEmail = 254
/** The syntax of an e-mail address in browsers (WHATWG HTML §4.10.5.1.5), as a JSON Schema pattern. */
export const emailPattern =
  "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~\\-]+@[a-zA-Z0-9](?:[a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9])?" +
  '(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9])?)*$'
const email = new RegExp(emailPattern, 'u')

/**
 * The normalised spelling under which an e-mail address is stored and looked up. Only ASCII letters are lowered:
 * toLowerCase turns U+212A (Kelvin sign) into `k`, and so one address into another.
 */
export const normaliseEmail = (text: string) =>
  text.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Could this be a normalised e-mail address? */
export const isEmailAddress = (text: string) => text.length <= longestEmail && email.test(text)

export const emailFaults = (text: string): Fault[] =>
  isEmailAddress(text) ? [] : [faultAt('/email', 'email', 'is not an e-mail address')]
