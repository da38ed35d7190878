import { parse } from '@formatjs/icu-messageformat-parser'
import t from 'tap'
import { withoutHidden } from '../../src/core/language/display-text.ts'
import { languages } from '../../src/core/language/languages.ts'
import { areas } from '../../src/words/english.ts'
import { tagOf } from '../../src/words/locale.ts'
import { inLanguage } from '../../src/words/message.ts'
import { catalogueOf, textIn } from '../../src/words/text.ts'
import { type EnglishMessage, messagesOf, translated } from '../../src/words/translation.ts'

interface Element {
  type: number
  value?: unknown
  options?: Record<string, { value: Element[] }>
  pluralType?: string
}
const [literal, select, plural] = [0, 5, 6]

const elementsOf = (icu: string) => parse(icu, { ignoreTag: true }) as unknown as Element[]
const nested = (elements: readonly Element[]): Element[] =>
  elements.flatMap((one) => [
    one,
    ...Object.values(one.options ?? {}).flatMap(({ value }) => nested(value)),
  ])

const namesOf = (elements: readonly Element[]) =>
  [
    ...new Set(
      nested(elements)
        .filter(({ type }) => type !== literal && type !== 7)
        .map(({ value }) => String(value)),
    ),
  ].sort()

/** Categories that whole numbers below a million have. */
const categoriesOf = (language: string, type: Intl.PluralRuleType) => {
  const rules = new Intl.PluralRules(tagOf(language), { type })
  return new Set(
    [...Array(1000).keys(), 'other'].map((n) => (n === 'other' ? n : rules.select(n as number))),
  )
}

const pluralFaults = (language: string, { value, options = {}, pluralType }: Element): string[] => {
  const type = pluralType === 'ordinal' ? 'ordinal' : 'cardinal'
  const arms = new Set(Object.keys(options))
  const exact: Record<string, string> = { zero: '=0', one: '=1', two: '=2' }
  return [
    ...[...categoriesOf(language, type)]
      .filter((one) => !arms.has(one) && !arms.has(exact[one] ?? ''))
      .map((one) => `{${value}} has no arm ${one}`),
    ...[...arms]
      .filter((one) => !one.startsWith('='))
      .filter(
        (one) =>
          !new Intl.PluralRules(tagOf(language), { type })
            .resolvedOptions()
            .pluralCategories.includes(one as Intl.LDMLPluralRule),
      )
      .map((one) => `{${value}} has the arm ${one}, which the language never chooses`),
  ]
}

const selectArms = (elements: readonly Element[]) => {
  const arms = new Map<string, string>()
  for (const { type, value, options = {} } of nested(elements))
    if (type === select) arms.set(String(value), Object.keys(options).sort().join())
  return arms
}

/** What is wrong with words, compared with the English ones. */
const faultsOf = (language: string, english: EnglishMessage, words: string): string[] => {
  const spaces = (text: string) => [/^\s*/.exec(text)?.[0], /\s*$/.exec(text)?.[0]].join('|')
  const aroundWords = spaces(words) === spaces(english.icu) ? [] : ['other spaces around the words']
  if (!english.isMessage) {
    const marks = (text: string) => (text.match(/\{\w*\}/g) ?? []).sort().join()
    return [
      ...aroundWords,
      ...(marks(words) === marks(english.icu) ? [] : ['other names in braces']),
    ]
  }
  let elements: Element[]
  try {
    elements = elementsOf(words)
  } catch (error) {
    return [`is no ICU message: ${(error as Error).message}`]
  }
  const original = elementsOf(english.icu)
  const arms = selectArms(original)
  return [
    ...aroundWords,
    ...(namesOf(elements).join() === namesOf(original).join()
      ? []
      : [`has the values ${namesOf(elements)} instead of ${namesOf(original)}`]),
    ...nested(elements).flatMap((one) => (one.type === plural ? pluralFaults(language, one) : [])),
    ...[...selectArms(elements)]
      .filter(([name, own]) => own !== arms.get(name))
      .map(([name, own]) => `{${name}} has the arms ${own} instead of ${arms.get(name)}`),
    ...(nested(elements).some(({ type, value }) => type === literal && /[#{}]/.test(String(value)))
      ? ['has # or a brace in its words']
      : []),
  ]
}

const english = messagesOf(areas)
const translations = languages.filter((one) => one !== 'en')

/** Functions that make words in code, which no language can translate. */
const codeIn = (tree: unknown, path: string): string[] => {
  if (typeof tree === 'function') return inLanguage in tree ? [] : [path]
  if (typeof tree !== 'object' || tree === null || inLanguage in tree) return []
  return Object.entries(tree).flatMap(([key, value]) => codeIn(value, `${path}.${key}`))
}

t.test('every English word can be translated', async (t) => {
  t.same(codeIn(areas, ''), [], 'no words are made in code')
  const paths = english.map(({ path }) => path)
  t.equal(new Set(paths).size, paths.length, 'each path once')
  for (const one of english) t.same(faultsOf('en', one, one.icu), [], one.path)
})

t.test('the names of a message are those of its values', async (t) => {
  const sources = (tree: unknown): { icu: string; names: string[] }[] => {
    if (typeof tree === 'function' && 'icu' in tree) return [tree as never]
    if (typeof tree !== 'object' || tree === null) return []
    return Object.values(tree).flatMap(sources)
  }
  for (const { icu, names } of sources(areas))
    if (names.length > 0) t.same([...names].sort(), namesOf(elementsOf(icu)), icu)
})

// A missing translation is shown in English, and refused by the release only: `npm run messages -- --check`.
for (const language of translations) {
  t.test(`the words in ${language}`, async (t) => {
    const own = catalogueOf(language)
    const paths = new Set(english.map(({ path }) => path))
    t.same(
      Object.keys(own).filter((path) => !paths.has(path)),
      [],
      'no unused translation',
    )
    for (const one of english) {
      const words = own[one.path]
      if (words) t.same(faultsOf(language, one, words), [], one.path)
    }
    t.equal(textIn(language).language.code, language)
  })
}

t.test('the check finds mistakes', async (t) => {
  const of = (icu: string, isMessage = true) => ({ path: 'x', icu, isMessage })
  const files = of('{count, plural, one {# file} other {# files}}')
  t.same(faultsOf('de', files, '{count, plural, one {# Datei} other {# Dateien}}'), [])
  t.same(faultsOf('ja', files, '{count, plural, other {#件}}'), [])
  t.same(faultsOf('ja', files, '{count, plural, one {1件} other {#件}}'), [
    '{count} has the arm one, which the language never chooses',
  ])
  t.match(faultsOf('ar', files, '{count, plural, one {ملف} other {# ملف}}'), [
    /no arm zero/,
    /no arm two|no arm few/,
  ])
  t.same(
    faultsOf(
      'ar',
      files,
      '{count, plural, =0 {لا ملفات} one {ملف} two {ملفان} few {# ملفات} many {# ملفًا} other {# ملف}}',
    ),
    [],
  )
  t.same(faultsOf('fr', files, '{count, plural, one {# fichier} other {# fichiers}}'), [])
  t.match(faultsOf('de', files, '{anzahl} Dateien'), [/has the values anzahl instead of count/])
  t.match(faultsOf('de', files, '{count, plural, one {# Datei}'), [/is no ICU message/])
  const chosen = of('{until, select, none {no end} other {until {until}}}')
  t.match(faultsOf('de', chosen, '{until, select, kein {kein Ende} other {bis {until}}}'), [
    /has the arms kein,other instead of none,other/,
  ])
  t.match(faultsOf('de', of('{count} shown', false), '{anzahl} gezeigt'), [/names in braces/])
  t.match(faultsOf('de', of('Sign in', false), 'Anmelden '), [/spaces/])
  t.match(faultsOf('de', of('Error: {title}'), 'Fehler #: {title}'), [/has # or a brace/])
})

t.test('the parts of a date stay in their order among Arabic words', async (t) => {
  // After an Arabic letter the hyphens between numbers take the direction of the text (UAX #9, W2 and W4).
  const all = Object.values(catalogueOf('ar'))
  const dates = all.filter((words) => /\d-\d/.test(words ?? ''))
  t.ok(dates.length > 0)
  // Pages remove marks of direction, so Latin letters before the date have to keep it together (W7).
  for (const words of dates) t.match(words, /[A-Z] \d{4}-\d\d-\d\d/)
})

t.test('no words have characters that pages remove', async (t) => {
  for (const language of translations)
    for (const words of Object.values(catalogueOf(language)))
      t.equal(withoutHidden(words ?? ''), words, language)
})

t.test('a word that a language lacks is shown in English', async (t) => {
  const { signIn, ...others } = areas
  const [first] = messagesOf(signIn, 'signIn')
  const path = first?.path ?? ''
  const partly = translated(areas, 'de', { ...catalogueOf('de'), [path]: undefined })
  t.equal(messagesOf(partly).find((one) => one.path === path)?.icu, first?.icu)
  t.not(
    messagesOf(partly.account)[0]?.icu,
    messagesOf(others.account)[0]?.icu,
    'the rest is German',
  )
})

t.test('a language without words speaks English, with its own dates and numbers', async (t) => {
  t.equal(textIn('de').titles.signIn, 'Anmelden')
  t.equal(textIn('de').problemTitle('x'), 'Fehler: x')
  t.equal(textIn('de').day(new Date('2026-11-24T00:00:00Z')), '24. November 2026')
  t.equal(textIn('ar').language.direction, 'rtl')
  t.equal(textIn('xx').language.code, 'en')
  t.equal(textIn(null).language.code, 'en')
  t.equal(textIn('__proto__').language.code, 'en')
})
