import type { Fault } from './faults.ts'

export const longestName = 100
export const longestDescription = 1000

// Not for show: controls, lone surrogates, line separators, and the characters that reorder the text around
// them (Unicode TR 36 §2.5), with which a consent page could be made to say something else.
const hidden = '\\p{Cc}\\p{Cs}\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069'

/** JSON Schema pattern (ECMA-262, unicode) of a name that people see. */
export const namePattern = `^(?=.*\\S)[^${hidden}]*$`
/** JSON Schema pattern (ECMA-262, unicode) of a description that people see; it may be empty. */
export const descriptionPattern = `^[^${hidden}]*$`

const name = new RegExp(namePattern, 'u')
const description = new RegExp(descriptionPattern, 'u')

const lengthOf = (text: string) => [...text].length

/** What keeps this text from being the name of something. */
export const nameFaults = (pointer: string, text: string): Fault[] => {
  if (lengthOf(text) > longestName)
    return [{ pointer, detail: `is longer than ${longestName} characters` }]
  return name.test(text)
    ? []
    : [{ pointer, detail: 'is blank or has control or direction characters' }]
}

/** What keeps this text from being a description; null is none. */
export const descriptionFaults = (pointer: string, text: string | null): Fault[] => {
  if (text === null) return []
  if (lengthOf(text) > longestDescription)
    return [{ pointer, detail: `is longer than ${longestDescription} characters` }]
  return description.test(text) ? [] : [{ pointer, detail: 'has control or direction characters' }]
}
