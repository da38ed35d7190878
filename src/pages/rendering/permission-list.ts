import type { App } from '../../core/clients/app.ts'
import type { OpenidScope } from '../../core/clients/openid.ts'
import { interfaceOf } from '../../core/clients/permission-catalogue.ts'
import {
  type CataloguePermission,
  type PermissionCatalogue,
  type PermissionGroupName,
  type PermissionWords,
  permissionGroups,
  type Sentence,
  sentenceIn,
} from '../../core/language/permission-catalogue.ts'
import type { Interface } from '../../core/language/permissions.ts'
import type { Phrase } from '../../words/phrase.ts'
import type { Text } from '../../words/text.ts'

export type PermissionLine = {
  /** The value of the checkbox; `null` for a line that every approval includes. */
  permission: string | null
  sentence: string
  /** Says in words why the line is sensitive. */
  mark?: string
  /** The app requires it, so it cannot be unticked. */
  isLocked: boolean
  /** Why the app needs it, in the words of its maker; null: it does not say. */
  reason: string | null
  isNew: boolean
  ticked: boolean
}

export type PermissionGroup = {
  id: 'identity' | 'sensitive' | 'always' | PermissionGroupName
  /** null: a list so short that it needs none. */
  heading: string | null
  /** Heading above the first group of new permissions, and of approved ones. */
  state: string | null
  lines: PermissionLine[]
}

/** The OpenID scopes that an app gets. */
export type SharedIdentity = {
  scopes: readonly OpenidScope[]
  /** The scopes that were approved before; absent when nothing was. */
  before?: readonly OpenidScope[]
  /** The reader of the page: the user or another person. */
  reader: 'self' | 'other'
}

type Line = PermissionLine & { group: 'identity' | PermissionGroupName }
type Worded = Pick<CataloguePermission, 'name' | 'sentence'>

/** For whom permissions are described: the words of a reader, and the permissions of the server. */
export interface Reader {
  text: Text
  catalogue: PermissionCatalogue
}

interface Described {
  /** What was approved before; absent: nothing is marked as new. */
  approved?: readonly string[] | undefined
  /** All by default. */
  ticked?: readonly string[] | undefined
  identity?: SharedIdentity
  /** Those that cannot be unticked. */
  locked?: readonly string[]
  /** What the maker of the app says about them. */
  reasons?: Readonly<Record<string, Sentence>>
}

const order = ['identity', ...permissionGroups] as const

/**
 * Describes permissions in words and groups. Sensitive ones come first in their group. When some are approved already
 * and others are new, the new ones come first and the two are separated.
 */
export function describePermissions(
  reader: Reader,
  api: Interface,
  permissions: readonly string[],
  options: Described = {},
): PermissionGroup[] {
  const { text, catalogue } = reader
  const { approved, ticked = permissions, locked = [], reasons = {} } = options
  const { identity = { scopes: [], reader: 'self' } } = options
  const [before, chosen] = [approved && new Set(approved), new Set(ticked)]
  const permitted = [...new Set(permissions)].map((permission): Line => {
    const isNew = before !== undefined && !before.has(permission)
    const words = wordsFor(reader, api, permission)
    const isLocked = locked.includes(permission)
    const said = Object.hasOwn(reasons, permission) ? reasons[permission] : undefined
    const reason = said === undefined ? null : sentenceIn(said, text.language.code)
    const isTicked = isLocked || chosen.has(permission)
    return { ...words, permission, isNew, isLocked, reason, ticked: isTicked }
  })
  const lines = [...identityLines(text, identity), ...permitted]
  const isFree = api === 'current' && catalogue.readPermission() === null
  const always = isFree ? [readEverything(text)] : []
  const differ = lines.some((line) => line.isNew)
  if (!differ) return groupLines(text, [...always, ...lines])
  const states = text.permissionList
  const added = lines.filter((line) => line.isNew)
  // Reading was part of the earlier approval.
  const kept = [...always, ...lines.filter((line) => !line.isNew)]
  return [
    ...underState(states.fresh, groupLines(text, added)),
    ...underState(states.approved, groupLines(text, kept)),
  ]
}

const fixed = { permission: null, isLocked: false, reason: null, ticked: true } as const

/**
 * What a form shows ticked at first. An app that says what it can do without is not given sensitive things of these by
 * default.
 * @param before what the person has allowed already
 */
export const initialTicks = (
  { catalogue }: Pick<Reader, 'catalogue'>,
  app: Pick<App, 'interface' | 'optionalPermissions'>,
  offered: readonly string[],
  before: readonly string[] = [],
): string[] =>
  offered.filter(
    (one) =>
      !app.optionalPermissions?.includes(one) ||
      catalogue.find(app.interface, one)?.mark === null ||
      before.includes(one),
  )

/** Without a read permission each token of the current interface may read, so this line cannot be unticked. */
function readEverything(text: Text): Line {
  const sentence = text.permissionList.readEverything
  return { ...fixed, group: 'read', sentence, isNew: false }
}

/** These lines cannot be unticked. Without them the app cannot distinguish users. */
function identityLines(text: Text, { scopes, before = scopes, reader }: SharedIdentity): Line[] {
  return scopes.map((scope) => ({
    ...fixed,
    group: 'identity',
    sentence: text.identity[reader][scope],
    ...(scope !== 'openid' && { mark: text.permissionList.marks.personal_data }),
    isNew: !before.includes(scope),
  }))
}

/** The words of a permission whose interface is not known. `mark`: why it is sensitive; absent: it is not. */
export const permissionWords = (reader: Reader, permission: string) =>
  wordsFor(reader, interfaceOf(reader.catalogue, permission), permission)

export const permissionSentence = (reader: Reader, permission: string): string =>
  permissionWords(reader, permission).sentence

/** What an app requires, and the operator does not allow. */
export const requiredButCut = (reader: Reader, permissions: readonly string[]): Phrase => {
  const sentences = permissions.map((one) => permissionSentence(reader, one))
  return reader.text.cut.why(reader.text.formats.list.all(sentences))
}

/** A permission without a sentence is shown by its name, so that no granted permission is hidden. */
function wordsFor(
  { text, catalogue }: Reader,
  api: Interface,
  permission: string,
): Pick<Line, 'group' | 'sentence' | 'mark'> {
  const known = catalogue.find(api, permission)
  const { unknown, marks } = text.permissionList
  if (!known) return { group: 'other', sentence: unknown(permission), mark: marks.not_described }
  const { group, mark } = known
  const sentence = sentenceFor(text, api, known)
  return mark === null ? { group, sentence } : { group, sentence, mark: marks[mark] }
}

/** A built-in permission has its sentence in each language, unless the operator has given it another one. */
export function sentenceFor(text: Text, api: Interface, { name, sentence }: Worded): string {
  const builtIn: Record<string, PermissionWords> = text.permissions[api]
  const own: Record<string, string> = text.permissionSentences[api]
  return Object.hasOwn(builtIn, name) && builtIn[name]?.sentence === sentence
    ? (own[name] as string)
    : sentenceIn(sentence, text.language.code)
}

function groupLines(text: Text, lines: readonly Line[]): PermissionGroup[] {
  return order
    .map((id) => ({ id, lines: lines.filter((line) => line.group === id).sort(sensitiveFirst) }))
    .filter(({ lines: own }) => own.length > 0)
    .map(({ id, lines: own }) => ({
      id,
      heading: text.permissionList.groups[id],
      state: null,
      lines: own.map(({ group: _, ...line }) => line),
    }))
}

function underState(state: string, groups: PermissionGroup[]): PermissionGroup[] {
  return groups.map((group, index) => (index === 0 ? { ...group, state } : group))
}

/** Order: fixed lines first, then marked lines, then the given order. */
function sensitiveFirst(a: Line, b: Line): number {
  const rank = (line: Line) => (line.permission === null ? 0 : line.mark === undefined ? 2 : 1)
  return rank(a) - rank(b)
}
