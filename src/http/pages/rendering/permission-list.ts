import type { OpenidScope } from '../../../core/clients/openid.ts'
import { type PermissionText, text } from './text.ts'

export type PermissionLine = {
  /** The value of the checkbox; `null` for what comes with every approval. */
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
  /** Stands above the first group of what is new, and of what was approved before. */
  state: string | null
  lines: PermissionLine[]
}

/** What an app learns of who somebody is. */
export type SharedIdentity = {
  scopes: readonly OpenidScope[]
  /** What it knew already, where something was approved before. */
  before?: readonly OpenidScope[]
  /** Who reads the page: the person themselves, or somebody else. */
  reader: 'self' | 'other'
}

type Line = PermissionLine & { group: PermissionGroup['id'] }

const order = ['identity', 'read', 'write', 'people', 'structure'] as const

/**
 * Puts permissions into words, grouped, the sensitive ones first in their group. When some are
 * already approved and others are new, the new ones come first and the two stand apart.
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
    return mark === undefined ? line : { ...line, mark }
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

/** Reading needs no permission on the current interface, so the line cannot be unticked. */
function readEverything(): Line {
  const sentence = text.permissionList.readEverything
  return { group: 'read', permission: null, sentence, isNew: false, ticked: true }
}

/** Who says yes says yes to these: without them the app cannot tell one person from another. */
function identityLines({ scopes, before = scopes, reader }: SharedIdentity): Line[] {
  return scopes.map((scope) => ({
    group: 'identity',
    permission: null,
    ...text.identity[reader][scope],
    isNew: !before.includes(scope),
    ticked: true,
  }))
}

/** The sentence of a permission of either interface: their names differ. */
export const permissionWords = (permission: string): string =>
  wordsFor(permission.includes(':') ? 'current' : 'legacy', permission).sentence

/** A permission without words is shown by its name: nothing that is granted stays out of sight. */
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

/** What cannot be unticked leads, as it is; then the marked lines; otherwise the order that was given. */
function sensitiveFirst(a: Line, b: Line): number {
  const rank = (line: Line) => (line.permission === null ? 0 : line.mark === undefined ? 2 : 1)
  return rank(a) - rank(b)
}
