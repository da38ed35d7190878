import type { Fault } from './faults.ts'

export const longestName = 100
export const longestDescription = 1000

// Not for show: controls, lone surrogates, line separators, the characters that reorder the text around them, and all
// that leave no mark (Unicode TR 36 §2.5, §2.10; DI: Default_Ignorable_Code_Point, among them U+200B to U+200D, U+2060,
// U+FEFF, Hangul fillers and tags). With them a consent page could say something else, and two names could look alike.
const unseen = '\\p{Cs}\\p{DI}\\u2028\\u2029\\ufff9-\\ufffc'
const hidden = `\\p{Cc}${unseen}`

// A variation selector that changes what is seen: of an emoji, and of a keycap. The joiners are refused in names also
// where emoji and Persian use them: at most places they are invisible, and a name can be read without.
const seenSelector = '(?<=\\p{ExtPict})[\\ufe0e\\ufe0f]|(?<=[#*0-9])\\ufe0f(?=\\u20e3)'
const shown = `(?:[^${hidden}]|${seenSelector})*`
/** Something to see: not only spaces, marks without a letter, or the Braille pattern without dots. */
const visible = '(?=.*(?!\\u2800)[\\p{L}\\p{N}\\p{P}\\p{S}])'

/** JSON Schema pattern (ECMA-262, unicode) of a name that people see. */
export const namePattern = `^${visible}${shown}$`
/** JSON Schema pattern (ECMA-262, unicode) of a description that people see; it may be empty. */
export const descriptionPattern = `^${shown}$`

const name = new RegExp(namePattern, 'u')
const description = new RegExp(descriptionPattern, 'u')

const lengthOf = (text: string) => [...text].length

/** What keeps this text from being the name of something. */
export const nameFaults = (pointer: string, text: string): Fault[] => {
  if (lengthOf(text) > longestName)
    return [{ pointer, detail: `is longer than ${longestName} characters` }]
  return name.test(text)
    ? []
    : [{ pointer, detail: 'is blank or has invisible, control or direction characters' }]
}

/** What keeps this text from being a description; null is none. */
export const descriptionFaults = (pointer: string, text: string | null): Fault[] => {
  if (text === null) return []
  if (lengthOf(text) > longestDescription)
    return [{ pointer, detail: `is longer than ${longestDescription} characters` }]
  return description.test(text)
    ? []
    : [{ pointer, detail: 'has invisible, control or direction characters' }]
}

// In running text the joiners stay where they show: between emoji, and after letters that join.
const joined = [
  'Arab',
  'Syrc',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
]
const seenJoiner =
  '(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})' +
  `|(?<=[${joined.map((script) => `\\p{scx=${script}}`).join('')}])[\\u200c\\u200d]`
const hiddenOnes = new RegExp(
  `(${seenSelector}|${seenJoiner})|[${unseen}]|[^\\P{Cc}\\t\\n\\r]`,
  'gu',
)

/**
 * The text as it may be shown: without what hides in it. For what was stored before names were checked, and for what
 * others send. Line breaks and tabs stay.
 * @param instead stands for each character that is left out
 */
export const withoutHidden = (text: string, instead = ''): string =>
  text.replace(hiddenOnes, (_, seen: string | undefined) => seen ?? instead)
