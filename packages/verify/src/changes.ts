import { isObject, isSeconds, isText, isTextList, type JsonObject } from './json.ts'

/** Subjects whose only state is active or not. */
type Plain = 'grant' | 'token' | 'organization' | 'key_set'

/**
 * The current state of a subject. `until` (seconds since 1970) is the expiry of the last token that the change can
 * affect.
 */
export type Change = { id: string; active: boolean; until: number } & (
  | { type: Plain }
  /** A workspace whose id is used again: tokens issued before `since` (seconds since 1970) do not reach it. */
  | { type: 'workspace'; since: number }
  | { type: 'install'; permissions: string[]; workspaceIds: string[] | null }
  | { type: 'app'; permissions: string[]; epoch: number }
  | { type: 'user'; epoch: number }
  /** `install_member` is active while the user is in the audience of the install. */
  | { type: 'member' | 'workspace_member' | 'install_member'; userId: string }
  /** The access of an app for a user; `id` is the organization. */
  | { type: 'connection'; userId: string; clientId: string; epoch: number }
)

export type ChangeType = Change['type']

/** One answer of the revocation feed. */
export interface FeedAnswer {
  cursor: string
  /** All earlier changes must be dropped. */
  reset: boolean
  /** More changes are available at once. */
  more: boolean
  changes: Change[]
  /** The organizations that the changes are about. Tokens of others must be refused. null: all. */
  organizationIds: string[] | null
}

const malformed = (what: string) => new TypeError(`revocation feed: ${what}`)

const listOf = (change: JsonObject, name: string): string[] => {
  const value = change[name]
  // An inactive subject has no rights, so the list may be absent.
  if (value === undefined && change.active === false) return []
  if (!isTextList(value)) throw malformed(`${String(change.type)}.${name}`)
  return value
}

const textOf = (change: JsonObject, name: string): string => {
  const value = change[name]
  if (!isText(value)) throw malformed(`${String(change.type)}.${name}`)
  return value
}

const countOf = (change: JsonObject, name: string): number => {
  const value = change[name]
  if (!isSeconds(value)) throw malformed(`${String(change.type)}.${name}`)
  return value
}

/** @returns null for a type of a later version @throws TypeError */
const readChange = (change: unknown): Change | null => {
  if (!isObject(change) || !isText(change.type)) throw malformed('change')
  const { type, active } = change
  const common = () => {
    if (typeof active !== 'boolean') throw malformed(`${change.type}.active`)
    return { id: textOf(change, 'id'), active, until: countOf(change, 'until') }
  }
  switch (type) {
    case 'grant':
    case 'token':
    case 'organization':
    case 'key_set':
      return { type, ...common() }
    case 'workspace':
      return {
        type,
        ...common(),
        since: change.since === undefined ? 0 : countOf(change, 'since'),
      }
    case 'install':
      return {
        type,
        ...common(),
        permissions: listOf(change, 'permissions'),
        workspaceIds: change.workspace_ids === null ? null : listOf(change, 'workspace_ids'),
      }
    case 'app':
      return {
        type,
        ...common(),
        permissions: listOf(change, 'permissions'),
        epoch: countOf(change, 'epoch'),
      }
    case 'user':
      return { type, ...common(), epoch: countOf(change, 'epoch') }
    case 'member':
    case 'workspace_member':
    case 'install_member':
      return { type, ...common(), userId: textOf(change, 'user_id') }
    case 'connection':
      return {
        type,
        ...common(),
        userId: textOf(change, 'user_id'),
        clientId: textOf(change, 'client_id'),
        epoch: countOf(change, 'epoch'),
      }
    default:
      return null
  }
}

/**
 * Reads an answer as a whole. Skipping an unreadable part could skip a revocation.
 * @throws TypeError that names the fault
 */
export const readFeedAnswer = (body: JsonObject): FeedAnswer => {
  const { cursor, reset, more, changes, organization_ids: organizationIds = null } = body
  if (!isText(cursor)) throw malformed('cursor')
  if (typeof reset !== 'boolean' || typeof more !== 'boolean') throw malformed('reset or more')
  if (!Array.isArray(changes)) throw malformed('changes')
  if (organizationIds !== null && !isTextList(organizationIds)) throw malformed('organization_ids')
  return {
    cursor,
    reset,
    more,
    changes: changes.map(readChange).filter((one) => one !== null),
    organizationIds,
  }
}
