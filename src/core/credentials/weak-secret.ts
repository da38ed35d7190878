/** Fewer different characters than this were typed in to have something there. */
const fewestCharacters = 8
/** The same of what is left without the words and numbers that everybody thinks of. */
const fewestOwnCharacters = 5

/** Stands in examples for a secret that is to be put there. */
const placeholder =
  /change.?(me|this|it)|replace.?(me|this|it|with)|your.?(own|token|secret|operator)|placeholder|insert.?(here|token)/i

const common =
  /operator|latchkey|admin(istrator)?|password|passwort|passphrase|secret|tokens?|bearer|default|examples?|demo|test(ing|s)?|root|letmein|welcome|qwert[yz](uiop)?|asdf(ghjkl?)?|master|keys?|api|oauth|server|prod(uction)?|staging|dev(elopment)?|local/gi

const sequences = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm']

/** Is it a shorter text, again and again? */
const isRepeated = (text: string) => (text + text).indexOf(text, 1) <= text.length / 2

/** Does each character follow on the one before it, in the alphabet, the numbers or on the keyboard? */
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

/** Numbers that count up, four or more in turn. */
const withoutCounting = (text: string) =>
  text.replaceAll(/\d{4,}/g, (digits) => (isSequence(digits) ? '' : digits))

/** Was this secret thought of, and not made at random? It says no of much that can be guessed, and of what is random. */
export const isWeakSecret = (text: string): boolean => {
  if (new Set(text).size < fewestCharacters || isRepeated(text) || isSequence(text)) return true
  if (placeholder.test(text)) return true
  const own = withoutCounting(text.replaceAll(common, '')).replaceAll(/[-_.:/ ]/g, '')
  return new Set(own).size < fewestOwnCharacters
}
