/** A text with less information was typed, not generated: twelve random bytes in base64 have more than 50 bits. */
const leastBits = 40
/** The least number of different characters that must remain when common words and counted numbers are removed. */
const fewestOwnCharacters = 5

/** Placeholders that examples use instead of a secret. */
const placeholder =
  /change.?(me|this|it)|replace.?(me|this|it|with)|your.?(own|token|secret|operator)|placeholder|insert.?(here|token)/i

const common =
  /operator|latchkey|admin(istrator)?|password|passwort|passphrase|secret|tokens?|bearer|default|examples?|demo|test(ing|s)?|root|letmein|welcome|qwert[yz](uiop)?|asdf(ghjkl?)?|master|keys?|api|oauth|server|prod(uction)?|staging|dev(elopment)?|local/gi

const sequences = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm']

/** Bits of information: Shannon entropy per character times the length. */
const bitsOf = (text: string) => {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce(
    (bits, count) => bits + count * Math.log2(text.length / count),
    0,
  )
}

/** True for a shorter text that is repeated. */
const isRepeated = (text: string) => (text + text).indexOf(text, 1) <= text.length / 2

/** True when nearly every character follows the one before it in the alphabet, among the digits or on the keyboard. */
const isSequence = (text: string) => {
  const lower = text.toLowerCase()
  const steps = [...lower].slice(1).map((character, at) =>
    sequences.some((one) => {
      const [from, to] = [one.indexOf(lower[at] as string), one.indexOf(character)]
      return from >= 0 && to >= 0 && Math.abs(to - from) === 1
    }),
  )
  return steps.filter(Boolean).length >= steps.length * 0.8
}

/** Removes four or more digits that count up or down. */
const withoutCounting = (text: string) =>
  text.replaceAll(/\d{4,}/g, (digits) => (isSequence(digits) ? '' : digits))

/**
 * Recognises secrets that a person made up. A random secret never counts as weak; many guessable secrets are not
 * recognised.
 */
export const isWeakSecret = (text: string): boolean => {
  if (bitsOf(text) < leastBits || isRepeated(text) || isSequence(text)) return true
  if (placeholder.test(text)) return true
  const remaining = withoutCounting(text.replaceAll(common, '')).replaceAll(/[-_.:/ ]/g, '')
  return new Set(remaining).size < fewestOwnCharacters
}
