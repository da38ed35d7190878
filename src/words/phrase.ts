import { withoutHidden } from '../core/language/display-text.ts'

/** A sentence in parts, so that the view can isolate every name that other people chose. `href`: the page of what has it. */
export type Phrase = readonly (string | { readonly name: string; readonly href?: string | null })[]

/** A name alone. It is never part of the words. */
export const named = (name: string, href: string | null = null): Phrase => [
  { name: withoutHidden(name), href },
]

/** Without links and isolation, for a file or a title. */
export const plainOf = (phrase: Phrase): string =>
  phrase.map((part) => (typeof part === 'string' ? part : part.name)).join('')

/** Template tag for sentences: each inserted value becomes a name and never part of the words. */
export function phrase(words: TemplateStringsArray, ...names: string[]): Phrase {
  return words.flatMap((part, index) => {
    // A name with a stray "pop directional isolate" would leave its <bdi> and reorder the words after it.
    const name = index < names.length ? withoutHidden(names[index] as string) : undefined
    const spoken = part === '' ? [] : [part]
    return name === undefined ? spoken : [...spoken, { name }]
  })
}
