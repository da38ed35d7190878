/** How another language says the words: by their paths, such as `account.home.heading`. */
import { inLanguage, type MessageSource } from './message.ts'

type Leaf = {
  readonly [inLanguage]: (language: string, icu?: string) => unknown
} & Partial<MessageSource>

const isLeaf = (value: unknown): value is Leaf =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  inLanguage in value

/** A word: its English, and its path. */
export interface EnglishMessage {
  path: string
  icu: string
  /** false: a string that is shown as it is */
  isMessage: boolean
}

/** All strings and messages of a tree, in their order. An empty string has no words. */
export const messagesOf = (tree: unknown, path = ''): EnglishMessage[] => {
  if (tree === '') return []
  if (typeof tree === 'string') return [{ path, icu: tree, isMessage: false }]
  if (isLeaf(tree)) return tree.icu === undefined ? [] : [{ path, icu: tree.icu, isMessage: true }]
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([key, value]) =>
    messagesOf(value, path === '' ? key : `${path}.${key}`),
  )
}

/** Translations by path. A missing one is shown in English. */
export type Catalogue = Readonly<Record<string, string | undefined>>

/** The same tree in another language. */
export const translated = <Tree>(
  tree: Tree,
  language: string,
  catalogue: Catalogue,
  path = '',
): Tree => {
  const words = Object.hasOwn(catalogue, path) ? catalogue[path] : undefined
  if (typeof tree === 'string') return (words ?? tree) as Tree
  if (isLeaf(tree)) {
    // English words follow the English rules of plurals.
    const isEnglish = tree.icu !== undefined && words === undefined
    return isEnglish ? tree : (tree[inLanguage](language, words) as Tree)
  }
  if (typeof tree !== 'object' || tree === null) return tree
  if (Array.isArray(tree))
    return tree.map((value, at) => translated(value, language, catalogue, `${path}.${at}`)) as Tree
  const entries = Object.entries(tree).map(([key, value]) => [
    key,
    translated(value, language, catalogue, path === '' ? key : `${path}.${key}`),
  ])
  return Object.fromEntries(entries) as Tree
}
