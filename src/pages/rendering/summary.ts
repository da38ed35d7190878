import { sentenceIn } from '../../core/language/permission-catalogue.ts'
import type { Interface } from '../../core/language/permissions.ts'
import { english } from '../../words/english.ts'
import type { Phrase } from '../../words/phrase.ts'
import type { Text } from '../../words/text.ts'
import type { Reader } from './permission-list.ts'

/**
 * Where the permissions of a decision count. The legacy interface knows only the organization, and so does a user who asks
 * an admin.
 */
export type Reach =
  | { kind: 'all' }
  | { kind: 'some'; count: number }
  | { kind: 'organization'; name: string }

/** @param name of the organization @param places the number of workspaces; null: all, including future ones */
export const reachOf = (api: Interface, name: string, places: number | null): Reach => {
  if (api === 'legacy') return { kind: 'organization', name }
  return places === null ? { kind: 'all' } : { kind: 'some', count: places }
}

/** What the page offers. */
interface Offer {
  api: Interface
  permissions: readonly string[]
  reach: Reach
}

const mostParts = 4
const mostNamed = 3

const wordIn = (words: Readonly<Record<string, string>>, name: string) =>
  Object.hasOwn(words, name) ? words[name] : undefined

const seed: Record<Interface, Record<string, { sentence: string }>> = english.permissions

/** A permission whose short words are known. The operator may have given a built-in one another meaning. */
const isBuiltIn = ({ text, catalogue }: Reader, { api }: Offer, name: string) => {
  const { verbs, things, wideThings } = text.summary
  if (![verbs, things, wideThings].some((one) => wordIn(one, name) !== undefined)) return false
  const known = catalogue.find(api, name)
  const own = Object.hasOwn(seed[api], name) ? seed[api][name]?.sentence : undefined
  return known !== null && own === sentenceIn(known.sentence, english.language.code)
}

/** The permission that reading everything needs; null: reading is free. */
const readPermissionOf = ({ catalogue }: Reader, { api }: Offer) =>
  api === 'legacy' ? 'readData' : catalogue.readPermission()

/** An offer with reading apart from the other permissions. It is the widest power, so each sentence names it first. */
type Split = Offer & { reads: boolean }

const withReading = ({ summary: words }: Text, { reads }: Split, things: string) => {
  if (!reads) return things
  return things === '' ? words.things.read : words.readAnd(things)
}

/** The parts of "create and update records, read documents", at most four, sensitive ones first when some are left out. */
const partsOf = ({ text, catalogue }: Reader, { api, permissions }: Offer): string[] => {
  const words = text.summary
  const isMarked = (name: string) => (catalogue.find(api, name)?.mark ?? null) !== null
  const recordsOf = (names: readonly string[]) => {
    const verbs = names.flatMap((name) => wordIn(words.verbs, name) ?? [])
    return verbs.length === 0 ? [] : [words.records(text.formats.list.allWords(verbs))]
  }
  const thingsOf = (names: readonly string[]) =>
    names.flatMap((name) => wordIn(words.things, name) ?? [])
  const parts = [...recordsOf(permissions), ...thingsOf(permissions)]
  if (parts.length <= mostParts) return parts
  const marked = permissions.filter(isMarked)
  const named = [...recordsOf(marked), ...thingsOf(marked)]
  const narrow = permissions.filter((name) => wordIn(words.wideThings, name) === undefined)
  return [...named, words.more(narrow.length - marked.filter((one) => narrow.includes(one)).length)]
}

const builtIn = (reader: Reader, offer: Split): Phrase => {
  const { text } = reader
  const words = text.summary
  const { allWords } = text.formats.list
  const { permissions, reach } = offer
  const parts = partsOf(reader, offer)
  const wideThings = permissions.flatMap((name) => wordIn(words.wideThings, name) ?? [])
  if (reach.kind === 'organization') {
    const all = withReading(text, offer, allWords([...parts, ...wideThings]))
    return all === '' ? [words.nothing] : words.inOrganization(all, reach.name)
  }
  const things = withReading(text, offer, allWords(parts))
  const wide = allWords(wideThings)
  if (things === '') return [wide === '' ? words.nothing : words.onlyWide(wide)]
  if (reach.kind === 'all')
    return [wide === '' ? words.inAll(things) : words.inAllAndWide(things, wide)]
  const { count } = reach
  return [wide === '' ? words.inSome(things, count) : words.inSomeAndWide(things, count, wide)]
}

const counted = (text: Text, offer: Split): Phrase => {
  const { permissions, reach, reads } = offer
  const { count, more, ...words } = text.summary
  const { length } = permissions
  const things = withReading(text, offer, more(length))
  if (reach.kind === 'organization')
    return reads
      ? words.inOrganization(things, reach.name)
      : count.inOrganization(length, reach.name)
  if (reach.kind === 'all') return [reads ? words.inAll(things) : count.inAll(length)]
  return [reads ? words.inSome(things, reach.count) : count.inSome(length, reach.count)]
}

/** The sentences of the marked permissions and of those without a description. */
const sensitive = ({ text, catalogue }: Reader, { api, permissions }: Offer): Phrase[] => {
  const sentences = permissions.flatMap((name) => {
    const known = catalogue.find(api, name)
    if (!known) return [text.permissionList.unknown(name)]
    return known.mark === null ? [] : [sentenceIn(known.sentence, text.language.code)]
  })
  if (sentences.length === 0) return []
  const [named, rest] = [sentences.slice(0, mostNamed), sentences.length - mostNamed]
  const { sensitiveAndMore, sensitive: all } = text.summary
  const { list } = text.formats
  return [rest > 0 ? sensitiveAndMore(list.all(named), rest) : all(list.all(named))]
}

/**
 * Sums up what a decision page offers, in one sentence, with "read everything" first. Permissions that the platform has
 * added are counted, and a second sentence names the sensitive ones.
 */
export const summaryOf = (reader: Reader, offer: Offer): Phrase[] => {
  const reading = readPermissionOf(reader, offer)
  const permissions = offer.permissions.filter((name) => name !== reading)
  const reads = reading === null || permissions.length < offer.permissions.length
  const split = { ...offer, permissions, reads }
  return permissions.every((name) => isBuiltIn(reader, offer, name))
    ? [builtIn(reader, split)]
    : [counted(reader.text, split), ...sensitive(reader, split)]
}
