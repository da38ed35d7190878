import { typedPattern } from '../language/display-text.ts'
import type { Fault } from '../language/faults.ts'
import { Invalid } from '../language/service-errors.ts'
import { type GuessableWords, guessedForm, type Weakness, weaknessOf } from './password-guesses.ts'

export const shortestPassword = 8
export const longestPassword = 1000

const password = new RegExp(typedPattern, 'u')

/** The user whose password it is. */
type Owner = Record<'email' | 'name', string>

export type PasswordReason = `password_${'length' | 'characters' | Weakness}`

const details: Record<PasswordReason, string> = {
  password_length: `needs ${shortestPassword} to ${longestPassword} characters`,
  password_characters: 'has control characters',
  password_common: 'is one of the most common passwords, or little more than a common word',
  password_personal: 'is the e-mail address or the name of the user, or little more',
  password_service: 'is the name of this service, or little more',
  password_pattern: 'is little more than a repetition, a sequence, a row of keys or a date',
}

const isPasswordReason = (reason: string | undefined): reason is PasswordReason =>
  reason !== undefined && Object.hasOwn(details, reason)

const fault = (reason: PasswordReason): Fault[] => [
  { pointer: '/password', detail: details[reason], reason },
]

/** @returns the rule that the password breaks @throws any error that is about something else */
export const passwordReasonOf = (error: unknown): PasswordReason => {
  const reason = error instanceof Invalid ? error.faults[0]?.reason : undefined
  if (!isPasswordReason(reason)) throw error
  return reason
}

const partsOf = (text: string): string[] => {
  const parts = text.split(/[^\p{L}\p{N}]+/u)
  return [text, parts.join(''), ...parts, ...text.split(/[^\p{L}]+/u)].map(guessedForm)
}
const wordsOf = (texts: readonly string[]) =>
  new Set(texts.flatMap(partsOf).filter((word) => word !== ''))

/** Two names in either order: *Ana Lopez* is also *lopezana*. */
const reversedName = (name: string) => name.split(/\s+/u).reverse().join(' ')

const personalWords = ({ email, name }: Owner) => {
  const [local = '', domain = ''] = email.split('@')
  const withoutTop = domain.replace(/\.[^.]*$/, '')
  const whole = [email, domain].map(guessedForm)
  return new Set([...whole, ...wordsOf([local, withoutTop, name, reversedName(name)])])
}

/** The names by which users know the service: its product, its brand and its host. */
export const namesOfService = (brand: string, issuer: string): string[] => [
  'Latchkey',
  brand,
  new URL(issuer).hostname,
]

let commonOnes: Promise<ReadonlyMap<string, number>> | undefined

/** An alphabetical list has no ranks. */
const rankOfUnranked = 4000

/**
 * The 54,000 most common passwords and words, with their ranks. The list is loaded when the first password is set. It leaves
 * out what `weaknessOf` recognises by itself, such as 88888888.
 */
const commonWords = () => {
  commonOnes ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const ranks = new Map(dictionary['diceware-common'].map((word) => [word, rankOfUnranked]))
    dictionary['passwords-common'].forEach((word, at) => {
      ranks.set(word, Math.min(ranks.get(word) ?? Number.POSITIVE_INFINITY, at + 1))
    })
    return ranks
  })
  return commonOnes
}

/**
 * NIST SP 800-63B §5.1.1.2: no password that is common, repetitive, sequential, or taken from its context.
 * @param service the names of the service
 * @returns why the user may not have this password; empty when they may
 */
export const passwordFaults = async (text: string, owner: Owner, service: readonly string[]) => {
  if ([...text].length < shortestPassword || text.length > longestPassword)
    return fault('password_length')
  if (!password.test(text)) return fault('password_characters')
  const words: GuessableWords = {
    common: await commonWords(),
    personal: personalWords(owner),
    service: wordsOf(service),
  }
  const weakness = weaknessOf(text, words)
  return weakness === null ? [] : fault(`password_${weakness}`)
}
