/** How another language says the words of an area: by their paths. */
import { inLanguage, type MessageSource } from './message.ts'

/** The path of each string and message in a tree, such as `home.heading`. */
export type PathsOf<Tree, Before extends string = ''> = {
  [Key in keyof Tree & string]: Tree[Key] extends MessageSource | string
    ? `${Before}${Key}`
    : Tree[Key] extends (...values: never[]) => unknown
      ? never
      : Tree[Key] extends readonly string[]
        ? `${Before}${Key}.${number}`
        : Tree[Key] extends object
          ? PathsOf<Tree[Key], `${Before}${Key}.`>
          : never
}[keyof Tree & string]

/** The translations of an area. A missing one is shown in English. */
export type Catalogue<Area> = { readonly [Path in PathsOf<Area>]?: string }

type Leaf = {
  readonly [inLanguage]: (language: string, icu?: string) => unknown
} & Partial<MessageSource>

const isLeaf = (value: unknown): value is Leaf =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  inLanguage in value

/** A word of an area: its English, and the names of its values. */
export interface EnglishMessage {
  path: string
  icu: string
  /** false: a string that is shown as it is */
  isMessage: boolean
}

/** All strings and messages of an area, in their order. An empty string has no words. */
export const messagesOf = (tree: unknown, path = ''): EnglishMessage[] => {
  if (tree === '') return []
  if (typeof tree === 'string') return [{ path, icu: tree, isMessage: false }]
  if (isLeaf(tree)) return tree.icu === undefined ? [] : [{ path, icu: tree.icu, isMessage: true }]
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([key, value]) =>
    messagesOf(value, path === '' ? key : `${path}.${key}`),
  )
}

/** The same tree in another language. */
export const translated = <Tree>(
  tree: Tree,
  language: string,
  catalogue: Readonly<Record<string, string | undefined>>,
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
