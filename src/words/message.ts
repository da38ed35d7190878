/** Words that contain values: ICU messages, which another language can say in its own order and with its own plurals. */
import { IntlMessageFormat } from 'intl-messageformat'
import { withoutHidden } from '../core/language/display-text.ts'
import { formattersOf, isRightToLeft, tagOf } from './locale.ts'
import type { Phrase } from './phrase.ts'

/** The key of the function that makes the same words in another language. */
export const inLanguage = Symbol('in language')

/** A value that depends on the language. */
export interface Translatable<Value> {
  /** @param icu the translation; absent: the English message */
  readonly [inLanguage]: (language: string, icu?: string) => Value
}

/** An ICU message and the names of its values. */
export interface MessageSource {
  readonly icu: string
  readonly names: readonly string[]
}

type Values = Record<string, string | number | boolean | null | Phrase>

/** Number for a plural; null selects the arm `none`; a boolean selects `true` or `false`. */
type Given<
  Icu extends string,
  Name extends string,
  Inserted,
> = Icu extends `${string}{${Name}, ${'plural' | 'selectordinal' | 'number'}${string}`
  ? number
  : Icu extends `${string}{${Name}, select, none ${string}`
    ? Inserted | null
    : Icu extends `${string}{${Name}, select,${string}`
      ? string | boolean
      : Inserted

type GivenAll<Icu extends string, Names extends readonly string[], Inserted> = {
  [Index in keyof Names]: Given<Icu, Names[Index], Inserted>
}

/** A function of values, with its source, that can be made in another language. */
export type Words<Arguments extends readonly unknown[], Result> = ((
  ...values: Arguments
) => Result) &
  MessageSource &
  Translatable<(...values: Arguments) => Result>

/** The elements of a parsed message, as far as they are needed here. */
interface Element {
  type: number
  value?: unknown
  options?: Record<string, { value: readonly Element[] }>
}
const argument = 1 // TYPE.argument of the parser

/** Names of values that appear in the words, and do not only choose an arm. */
const insertedIn = (elements: readonly Element[]): string[] =>
  elements.flatMap((one) => [
    ...(one.type === argument ? [String(one.value)] : []),
    ...Object.values(one.options ?? {}).flatMap(({ value }) => insertedIn(value)),
  ])

/** A value inside the words. It selects no arm, whatever its text is. */
class Inserted {
  readonly parts: Phrase
  constructor(parts: Phrase) {
    this.parts = parts
  }
}

/** Parses the message at its first use. */
const compile = (language: string, icu: string) => {
  let format: IntlMessageFormat | null = null
  let inserted = new Set<string>()
  const prepared = (name: string, value: Values[string]) => {
    if (value === null) return 'none'
    if (typeof value === 'number') return value
    if (typeof value === 'boolean') return String(value)
    if (typeof value !== 'string') return new Inserted(value)
    return inserted.has(name) ? new Inserted([{ name: withoutHidden(value) }]) : value
  }
  return (values: Values): Phrase => {
    if (!format) {
      const options = { ignoreTag: true, formatters: formattersOf(language) }
      format = new IntlMessageFormat(icu, tagOf(language), undefined, options)
      inserted = new Set(insertedIn(format.getAst() as readonly Element[]))
    }
    const given = Object.entries(values).map(([name, value]) => [name, prepared(name, value)])
    const parts = format.formatToParts(Object.fromEntries(given)) as { value: unknown }[]
    return parts.flatMap(({ value }) => (value instanceof Inserted ? value.parts : [String(value)]))
  }
}

const byName = (names: readonly string[], values: readonly Values[string][]): Values =>
  Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]))

/** In a language from right to left, each value keeps its own direction (Unicode UAX 9, FSI and PDI). */
const plainIn = (language: string) => {
  const [open, close] = isRightToLeft(language) ? ['\u2068', '\u2069'] : ['', '']
  return (phrase: Phrase) =>
    phrase.map((part) => (typeof part === 'string' ? part : `${open}${part.name}${close}`)).join('')
}

/**
 * Words with values, as a plain string.
 *
 * ```ts
 * message('{count, plural, one {# workspace} other {# workspaces}}', 'count')(3) // "3 workspaces"
 * ```
 * @param names the names of the values, in the order of the arguments
 */
export const message = <const Icu extends string, const Names extends readonly string[]>(
  icu: Icu,
  ...names: Names
): Words<GivenAll<Icu, Names, string>, string> => {
  const make = (language: string, translated: string = icu) => {
    const [parts, plain] = [compile(language, translated), plainIn(language)]
    return (...values: readonly unknown[]) =>
      plain(parts(byName(names, values as Values[string][])))
  }
  const words = Object.assign(make('en'), { icu, names, [inLanguage]: make })
  return words as unknown as Words<GivenAll<Icu, Names, string>, string>
}

/**
 * Words with names that other people chose, or with lists of such names. The view isolates each name.
 *
 * ```ts
 * phraseOf('Install {app} in {organization}?', 'app', 'organization')('Letter Press', 'Acme')
 * ```
 */
export const phraseOf = <const Icu extends string, const Names extends readonly string[]>(
  icu: Icu,
  ...names: Names
): Words<GivenAll<Icu, Names, string | Phrase>, Phrase> => {
  const make = (language: string, translated: string = icu) => {
    const parts = compile(language, translated)
    return (...values: readonly unknown[]) => parts(byName(names, values as Values[string][]))
  }
  const words = Object.assign(make('en'), { icu, names, [inLanguage]: make })
  return words as unknown as Words<GivenAll<Icu, Names, string | Phrase>, Phrase>
}

/** As `phraseOf`, but with the values in one object, for tables of sentences with the same values. */
export const sentenceOf =
  <Of extends { [Name in keyof Of]: string | Phrase | null }>() =>
  (icu: string): Words<[of: Of], Phrase> => {
    const make = (language: string, translated: string = icu) => {
      const parts = compile(language, translated)
      return (of: Of) => parts(of as unknown as Values)
    }
    return Object.assign(make('en'), { icu, names: [], [inLanguage]: make })
  }

/**
 * A function that writes values in the manner of a language, such as a date.
 *
 * ```ts
 * day: perLanguage((tag) => dateWith(tag, { dateStyle: 'long' }))
 * ```
 */
export const perLanguage = <Value extends object>(
  make: (tag: string, language: string) => Value,
): Value & Translatable<Value> =>
  Object.assign(make(tagOf('en'), 'en'), {
    [inLanguage]: (language: string) => make(tagOf(language), language),
  })
