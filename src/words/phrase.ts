import { withoutHidden } from '../core/language/display-text.ts'

/** A sentence in parts, so that the view can isolate every name that other people chose. */
export type Phrase = readonly (string | { readonly name: string })[]

/** Template tag for sentences: each inserted value becomes a name and never part of the words. */
export function phrase(words: TemplateStringsArray, ...names: string[]): Phrase {
  return words.flatMap((part, index) => {
    // A name with a stray "pop directional isolate" would leave its <bdi> and reorder the words after it.
    const name = index < names.length ? withoutHidden(names[index] as string) : undefined
    const spoken = part === '' ? [] : [part]
    return name === undefined ? spoken : [...spoken, { name }]
  })
}
