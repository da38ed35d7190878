// The permissions of both interfaces with the words that describe them: built-in ones, and the platform's own.
import { sentenceFaults } from './display-text.ts'
import { type Fault, faultAt } from './faults.ts'
import type { Interface } from './permissions.ts'

/** The headings under which pages list permissions, in their order. */
export const permissionGroups = ['read', 'write', 'people', 'structure', 'other'] as const
export type PermissionGroupName = (typeof permissionGroups)[number]

/** Why a permission is sensitive: an admin who approves it must have signed in recently. */
export const permissionMarks = ['personal_data', 'data_loss', 'whole_organization'] as const
export type PermissionMark = (typeof permissionMarks)[number]

/** One text for all languages, or texts by language tag (BCP 47). */
export type Sentence = string | Readonly<Record<string, string>>

/** How pages describe a permission. */
export interface PermissionWords {
  sentence: Sentence
  group: PermissionGroupName
  /** null: not sensitive */
  mark: PermissionMark | null
}

/** A permission of the catalogue. */
export interface CataloguePermission extends PermissionWords {
  interface: Interface
  name: string
  builtIn: boolean
  /** Current interface: reading needs this permission. Without one, every token of the current interface may read. */
  readPermission: boolean
}

/** The catalogue, as one process knows it. */
export interface PermissionCatalogue {
  /** All names of an interface, in the order of lists. */
  names(generation: Interface): readonly string[]
  find(generation: Interface, name: string): CataloguePermission | null
  /** The permission that reading needs on the current interface; null: reading is free. */
  readPermission(): string | null
  /** Is one of these permissions sensitive? An unknown permission counts as sensitive. */
  hasSensitive(generation: Interface, names: readonly string[]): boolean
}

/** JSON Schema pattern of a permission's name. */
export const ownNamePattern = '^[A-Za-z0-9][A-Za-z0-9:._\\-]{0,63}$'
/** The form of a permission's name. Names of this form are also scope tokens (RFC 6749 §3.3). */
export const ownNameShape = new RegExp(ownNamePattern)

/** JSON Schema pattern of a language tag: language, script, region and variants (RFC 5646 §2.1). */
export const languagePattern = '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$'
const languageShape = new RegExp(languagePattern)
export const mostLanguages = 50
const fallbackLanguage = 'en'

/** @returns why this cannot be a sentence about a permission; empty when it can */
export const sentenceFaultsAt = (pointer: string, sentence: Sentence): Fault[] => {
  if (typeof sentence === 'string') return sentenceFaults(pointer, sentence)
  const languages = Object.keys(sentence)
  if (languages.length === 0 || languages.length > mostLanguages)
    return [faultAt(pointer, 'sentence', `must have 1 to ${mostLanguages} languages`)]
  return languages.flatMap((one) =>
    languageShape.test(one)
      ? sentenceFaults(`${pointer}/${one}`, sentence[one] ?? '')
      : [faultAt(pointer, 'sentence', 'has a member that is not a language tag')],
  )
}

/**
 * The sentence in a language: by the whole tag, by a shorter one (RFC 4647 §3.4), in English, or in the first language
 * that there is.
 */
export const sentenceIn = (sentence: Sentence, language: string): string => {
  if (typeof sentence === 'string') return sentence
  const byTag = new Map(Object.entries(sentence).map(([tag, words]) => [tag.toLowerCase(), words]))
  for (const wanted of [language.toLowerCase(), fallbackLanguage]) {
    for (let tag = wanted; tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
      const words = byTag.get(tag)
      if (words !== undefined) return words
    }
  }
  return byTag.values().next().value ?? ''
}
