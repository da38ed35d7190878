import type { OpenidScope } from '../../core/clients/openid.ts'
import { interfaceOf } from '../../core/clients/permission-catalogue.ts'
import {
  type CataloguePermission,
  type PermissionCatalogue,
  type PermissionGroupName,
  type PermissionWords,
  permissionGroups,
  sentenceIn,
} from '../../core/language/permission-catalogue.ts'
import type { Interface } from '../../core/language/permissions.ts'
import type { Text } from '../../words/text.ts'

export type PermissionLine = {
  /** The value of the checkbox; `null` for a line that every approval includes. */
  permission: string | null
  sentence: string
  /** Says in words why the line is sensitive. */
  mark?: string
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
type Described = Pick<CataloguePermission, 'name' | 'sentence'>
type Words = Pick<PermissionCatalogue, 'find' | 'readPermission'>

const order = ['identity', ...permissionGroups] as const

/**
 * Describes permissions in words and groups. Sensitive ones come first in their group. When some are approved already
 * and others are new, the new ones come first and the two are separated.
 */
export function describePermissions(
  text: Text,
  catalogue: Words,
  api: Interface,
  permissions: readonly string[],
  alreadyApproved?: readonly string[],
  ticked: readonly string[] = permissions,
  identity: SharedIdentity = { scopes: [], reader: 'self' },
): PermissionGroup[] {
  const [before, chosen] = [alreadyApproved && new Set(alreadyApproved), new Set(ticked)]
  const permitted = [...new Set(permissions)].map((permission): Line => {
    const isNew = before !== undefined && !before.has(permission)
    const words = wordsFor(text, catalogue, api, permission)
    return { ...words, permission, isNew, ticked: chosen.has(permission) }
  })
  const lines = [...identityLines(text, identity), ...permitted]
  const isFree = api === 'current' && catalogue.readPermission() === null
  const always = isFree ? [readEverything(text)] : []
  const differ = lines.some((line) => line.isNew)
  if (!differ) return groupLines(text, [...always, ...lines])
  const { fresh, approved } = text.permissionList
  const added = lines.filter((line) => line.isNew)
  // Reading was part of the earlier approval.
  const kept = [...always, ...lines.filter((line) => !line.isNew)]
  return [
    ...underState(fresh, groupLines(text, added)),
    ...underState(approved, groupLines(text, kept)),
  ]
}

/** Without a read permission each token of the current interface may read, so this line cannot be unticked. */
function readEverything(text: Text): Line {
  const sentence = text.permissionList.readEverything
  return { group: 'read', permission: null, sentence, isNew: false, ticked: true }
}

/** These lines cannot be unticked. Without them the app cannot distinguish users. */
function identityLines(text: Text, { scopes, before = scopes, reader }: SharedIdentity): Line[] {
  return scopes.map((scope) => ({
    group: 'identity',
    permission: null,
    sentence: text.identity[reader][scope],
    ...(scope !== 'openid' && { mark: text.permissionList.marks.personal_data }),
    isNew: !before.includes(scope),
    ticked: true,
  }))
}

/** The sentence of a permission whose interface is not known. */
export const permissionSentence = (
  text: Text,
  catalogue: PermissionCatalogue,
  permission: string,
): string => wordsFor(text, catalogue, interfaceOf(catalogue, permission), permission).sentence

/** A permission without a sentence is shown by its name, so that no granted permission is hidden. */
function wordsFor(
  text: Text,
  catalogue: Words,
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
export function sentenceFor(text: Text, api: Interface, { name, sentence }: Described): string {
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
