import type { OpenidScope } from '../../../core/clients/openid.ts'
import { type PermissionText, text } from './text.ts'

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
  id: 'identity' | 'read' | 'write' | 'people' | 'structure'
  heading: string
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

type Line = PermissionLine & { group: PermissionGroup['id'] }

const order = ['identity', 'read', 'write', 'people', 'structure'] as const

/**
 * Describes permissions in words and groups. Sensitive ones come first in their group. When some are approved already
 * and others are new, the new ones come first and the two are separated.
 */
export function describePermissions(
  api: 'legacy' | 'current',
  permissions: readonly string[],
  alreadyApproved?: readonly string[],
  ticked: readonly string[] = permissions,
  identity: SharedIdentity = { scopes: [], reader: 'self' },
): PermissionGroup[] {
  const permitted = [...new Set(permissions)].map((permission) => {
    const { group, sentence, mark } = wordsFor(api, permission)
    const isNew = alreadyApproved !== undefined && !alreadyApproved.includes(permission)
    const line = { group, permission, sentence, isNew, ticked: ticked.includes(permission) }
    return mark === null ? line : { ...line, mark }
  })
  const lines = [...identityLines(identity), ...permitted]
  const always = api === 'current' ? [readEverything()] : []
  const differ = lines.some((line) => line.isNew)
  if (!differ) return groupLines([...always, ...lines])
  return [
    ...groupLines(always),
    ...underState(text.permissionList.fresh, groupLines(lines.filter((line) => line.isNew))),
    ...underState(text.permissionList.approved, groupLines(lines.filter((line) => !line.isNew))),
  ]
}

/** Reading needs no permission on the current interface, so this line cannot be unticked. */
function readEverything(): Line {
  const sentence = text.permissionList.readEverything
  return { group: 'read', permission: null, sentence, isNew: false, ticked: true }
}

/** These lines cannot be unticked. Without them the app cannot distinguish users. */
function identityLines({ scopes, before = scopes, reader }: SharedIdentity): Line[] {
  return scopes.map((scope) => ({
    group: 'identity',
    permission: null,
    ...text.identity[reader][scope],
    isNew: !before.includes(scope),
    ticked: true,
  }))
}

/** The sentence of a permission. The names of the two interfaces differ. */
export const permissionWords = (permission: string): string =>
  wordsFor(permission.includes(':') ? 'current' : 'legacy', permission).sentence

/** A permission without a sentence is shown by its name, so that no granted permission is hidden. */
function wordsFor(api: 'legacy' | 'current', permission: string): PermissionText {
  const known: Record<string, PermissionText> = text.permissions[api]
  const words = Object.hasOwn(known, permission) ? known[permission] : undefined
  return words ?? text.permissionList.unknown(permission)
}

function groupLines(lines: readonly Line[]): PermissionGroup[] {
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
