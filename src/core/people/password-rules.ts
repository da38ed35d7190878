import { typedPattern } from '../language/display-text.ts'
import type { Fault } from '../language/faults.ts'

export const shortestPassword = 8
export const longestPassword = 1000

const password = new RegExp(typedPattern, 'u')

/** The user whose password it is. */
interface Owner {
  email: string
  name: string
}

const fault = (detail: string): Fault => ({ pointer: '/password', detail })

const shapeFaults = (text: string): Fault[] => {
  if ([...text].length < shortestPassword || text.length > longestPassword)
    return [fault(`needs ${shortestPassword} to ${longestPassword} characters`)]
  return password.test(text) ? [] : [fault('has control characters')]
}

const plain = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll(/\s/gu, '')
/** Removes digits and signs from the end, which users often append to a word. */
const withoutTail = (text: string) => text.replace(/[^\p{L}]+$/u, '')

/**
 * Is it the address, a part of it, or the name, with or without digits and signs appended (NIST SP 800-63B §5.1.1.2)?
 */
const isPersonal = (text: string, { email, name }: Owner): boolean => {
  const [local = '', domain = ''] = plain(email).split('@')
  const words = [plain(email), local, domain, domain.split('.')[0] ?? '', plain(name)]
  const known = words.flatMap((word) => [word, withoutTail(word)]).filter((word) => word !== '')
  return [plain(text), withoutTail(plain(text))].some((word) => known.includes(word))
}

let commonOnes: Promise<ReadonlySet<string>> | undefined

/** Is it one of the 49,000 most common passwords? The list is loaded when the first password is set. */
const isCommon = async (text: string): Promise<boolean> => {
  commonOnes ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  )
  return (await commonOnes).has(plain(text))
}

/** @returns why the user may not have this password; empty when they may */
export const passwordFaults = async (text: string, owner: Owner): Promise<Fault[]> => {
  const faults = shapeFaults(text)
  if (faults.length > 0) return faults
  if (isPersonal(text, owner)) return [fault('is the e-mail address or the name of the user')]
  return (await isCommon(text)) ? [fault('is one of the most common passwords')] : []
}
