import { type Fault, type FaultReason, faultAt } from './faults.ts'
import { seenJoiners } from './joiners.ts'

export const longestName = 100
export const longestDescription = 1000
export const longestSentence = 200

// Default_Ignorable_Code_Point, as ranges: many languages' regular expressions have no property of this name.
const ignorable =
  '\\u00ad\\u034f\\u061c\\u115f-\\u1160\\u17b4-\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f' +
  '\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}'
const controls = '\\u0000-\\u001f\\u007f-\\u009f'
const separators = '\\u2028\\u2029\\ufff9-\\ufffc'

// Characters that are never shown: controls, lone surrogates, line separators, characters that reorder the text
// around them, and all invisible ones (Unicode TR 36 §2.5, §2.10; among the ignorable ones are U+200B to U+200D,
// U+2060, U+FEFF, Hangul fillers and tags; `joiners.ts` has the places where some are seen). With them an attacker could change what a consent page seems to say, or
// make two names look alike.
const unseen = `\\p{Cs}${ignorable}${separators}`
const hidden = `${controls}${unseen}`

const shown = `(?:[^${hidden}]|${seenJoiners})*`
/** Requires a visible character: not only spaces, marks without a letter, or the Braille pattern without dots. */
const visible = '(?=.*[^\\p{Z}\\p{M}\\p{Cf}\\u2800])'
const spaces = ' \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\u2800'

/** Pattern (ECMA-262, unicode) of a displayed name. */
export const namePattern = `^${visible}${shown}$`
/** Pattern (ECMA-262, unicode) of a displayed description; it may be empty. */
export const descriptionPattern = `^${shown}$`

// The same for other languages, without Unicode properties and surrogates, so that a client can check and generate texts.
// They refuse the selectors and joiners of emoji and words, and accept a name of marks only.
const portable = `[^${controls}${ignorable}${separators}]*`
export const portableNamePattern = `^(?=.*[^${spaces}])${portable}$`
export const portableDescriptionPattern = `^${portable}$`

/** Pattern of a text without controls and lone surrogates. */
export const typedPattern = `^[^${controls}\\p{Cs}]*$`
export const portableTypedPattern = `^[^${controls}]*$`

const name = new RegExp(namePattern, 'u')
const description = new RegExp(descriptionPattern, 'u')

const lengthOf = (text: string) => [...text].length

const lineFaults = (reason: FaultReason, pointer: string, text: string, longest: number) => {
  if (lengthOf(text) > longest)
    return [faultAt(pointer, reason, `is longer than ${longest} characters`)]
  return name.test(text)
    ? []
    : [faultAt(pointer, reason, 'is blank or has invisible, control or direction characters')]
}

/** @returns why this text cannot be a name; empty when it can */
export const nameFaults = (pointer: string, text: string): Fault[] =>
  lineFaults('name', pointer, text, longestName)

/** @returns why this text cannot be a sentence of a page; empty when it can */
export const sentenceFaults = (pointer: string, text: string): Fault[] =>
  lineFaults('sentence', pointer, text, longestSentence)

/** @param text null: no description @returns why this text cannot be a description; empty when it can */
export const descriptionFaults = (pointer: string, text: string | null): Fault[] => {
  if (text === null) return []
  if (lengthOf(text) > longestDescription)
    return [faultAt(pointer, 'description', `is longer than ${longestDescription} characters`)]
  return description.test(text)
    ? []
    : [faultAt(pointer, 'description', 'has invisible, control or direction characters')]
}

// Running text keeps more joiners: between pictures, and after each letter of a script that joins.
const joined = 'Arab Syrc Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh'.split(' ')
const seenJoiner =
  '(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})' +
  `|(?<=[${joined.map((script) => `\\p{scx=${script}}`).join('')}])[\\u200c\\u200d]`
const hiddenOnes = new RegExp(
  `(${seenJoiners}|${seenJoiner})|[${unseen}]|[^\\P{Cc}\\t\\n\\r]`,
  'gu',
)

/**
 * Removes hidden characters from a text before it is shown: from texts stored before names were checked, and from
 * texts of other parties. Line breaks and tabs stay.
 * @param instead replaces each removed character
 */
export const withoutHidden = (text: string, instead = ''): string =>
  text.replace(hiddenOnes, (_, seen: string | undefined) => seen ?? instead)

const shortened = (text: string) => [...text].slice(0, longestName).join('')

/** The first that can be a name, as it is or without its joiners and other hidden characters; null: none can. */
export const firstName = (texts: readonly (string | null | undefined)[]): string | null =>
  texts
    .flatMap((text) => [withoutHidden(text ?? ''), (text ?? '').replace(/\p{DI}/gu, '')])
    .map((text) => shortened(text.trim()))
    .find((text) => nameFaults('', text).length === 0) ?? null
