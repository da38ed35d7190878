// Groups in the forms of the protocol, and PATCH of groups (RFC 7643 §4.2, RFC 7644 §3.5.2).
import type { Filter } from './filter.ts'
import { isObject, memberOf, type PlacedOperation, refuseReadOnly } from './patch-operations.ts'
import { invalidSyntax, invalidValue, ScimError, tooMany } from './scim-error.ts'
import { keysIn } from './search.ts'
import { optionalText, textOf } from './user-attributes.ts'

export interface GroupDraft {
  displayName: string
  externalId: string | null
  memberIds: string[]
}

/** What a request changes of a group. Members are given as differences, because a group may be large. */
export interface GroupChange {
  displayName?: string
  externalId?: string | null
  /** All members are removed before others are added. */
  empties: boolean
  add: Set<string>
  remove: Set<string>
}

const mostMembers = 20_000

/** @throws ScimError */
const memberIdsOf = (value: unknown): string[] => {
  if (value === undefined || value === null) return []
  const list = [value].flat()
  if (list.length > mostMembers) throw tooMany(`there are more than ${mostMembers} members`)
  return list.map((one) => textOf(isObject(one) ? memberOf(one, 'value') : one, 'members.value'))
}

/** Reads a group of POST and PUT. @throws ScimError */
export const readGroup = (body: unknown): GroupDraft => {
  if (!isObject(body)) throw invalidSyntax('the body must be an object')
  const displayName = textOf(memberOf(body, 'displayName'), 'displayName').trim()
  if (displayName === '') throw invalidValue('displayName must not be empty')
  return {
    displayName,
    externalId: optionalText(memberOf(body, 'externalId'), 'externalId') ?? null,
    memberIds: memberIdsOf(memberOf(body, 'members')),
  }
}

const selectedBy = (filter: Filter): string[] => {
  const keys = keysIn(filter, ['value'])
  if (keys === null) throw new ScimError(400, 'invalidPath', 'members are selected by value only')
  return keys.map(({ value }) => value)
}

const move = (ids: readonly string[], from: Set<string>, to: Set<string>) => {
  for (const id of ids) {
    to.add(id)
    from.delete(id)
  }
}

const put = ({ add, remove }: GroupChange, ids: readonly string[]) => move(ids, remove, add)

const take = ({ add, remove }: GroupChange, ids: readonly string[]) => move(ids, add, remove)

const empty = (change: GroupChange) => {
  change.empties = true
  change.add.clear()
  change.remove.clear()
}

const patchMembers = (change: GroupChange, { op, path, value }: PlacedOperation) => {
  if (path.filter) {
    const chosen = selectedBy(path.filter)
    return op === 'remove' ? take(change, chosen) : put(change, chosen)
  }
  if (op === 'replace' && value === undefined) throw invalidValue('replace needs a value')
  const ids = memberIdsOf(value)
  if (op === 'add') return put(change, ids)
  // Entra ID lists the members to remove in the value. An empty list removes none; without a value all are removed.
  if (op === 'remove') return value === undefined ? empty(change) : take(change, ids)
  empty(change)
  return put(change, ids)
}

/** @throws ScimError */
export const groupChangeOf = (operations: readonly PlacedOperation[]): GroupChange => {
  const change: GroupChange = { empties: false, add: new Set(), remove: new Set() }
  for (const operation of operations) {
    const { op, path, value } = operation
    switch (path.attribute) {
      case 'displayname':
        if (op === 'remove') throw invalidValue('displayName is required')
        change.displayName = readGroup({ displayName: value }).displayName
        break
      case 'externalid':
        change.externalId = op === 'remove' ? null : (optionalText(value, 'externalId') ?? null)
        break
      case 'members':
        patchMembers(change, operation)
        break
      default:
        // Okta repeats the id in a value without a path.
        if (typeof value !== 'string' || path.attribute !== 'id') refuseReadOnly(path.attribute)
    }
  }
  return change
}

/** PUT: the whole group. */
export const replacement = ({ displayName, externalId, memberIds }: GroupDraft): GroupChange => ({
  displayName,
  externalId,
  empties: true,
  add: new Set(memberIds),
  remove: new Set(),
})
