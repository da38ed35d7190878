import { isIdShaped } from '../crypto/identifiers.ts'
import { invalidScope } from './errors.ts'
import { covers, type Interface, inOrder, intersect, vocabulary } from './permissions.ts'
import type { ScopeReason } from './sub-reasons.ts'

// RFC 6749 §3.3: scope-token = 1*( %x21 / %x23-5B / %x5D-7E ), separated by single spaces.
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/
const mostTokens = 1000

/** `null` = all workspaces, now and later; a list = exactly these. */
export type WorkspaceLimit = readonly string[] | null

/**
 * Splits a space-delimited list.
 * @returns null for a parameter that was not sent
 * @throws OAuthError invalid_scope for a list of blanks, a foreign character or too many entries
 */
export const splitList = (value: string | undefined): string[] | null => {
  if (value === undefined) return null
  const tokens = [...new Set(value.split(' ').filter((token) => token !== ''))]
  if (tokens.length === 0 || tokens.length > mostTokens) throw invalidScope('malformed')
  if (!tokens.every((token) => scopeToken.test(token))) throw invalidScope('malformed')
  return tokens
}

/** These words as permissions of this interface, in vocabulary order. @throws OAuthError invalid_scope */
export const permissionsIn = (generation: Interface, tokens: readonly string[]): string[] => {
  if (!covers(vocabulary[generation], tokens)) throw invalidScope('unknown_permission')
  return inOrder(generation, tokens)
}

/** Reads `scope` where it can name nothing but permissions; null when not sent. */
export const parseScope = (generation: Interface, value: string | undefined): string[] | null => {
  const tokens = splitList(value)
  return tokens && permissionsIn(generation, tokens)
}

/** Reads `workspace_ids`: space-delimited workspace ids; null when not sent. @throws OAuthError invalid_scope */
export const parseWorkspaceIds = (value: string | undefined): string[] | null => {
  const ids = splitList(value)
  if (ids?.every(isIdShaped) === false) throw invalidScope('malformed')
  return ids
}

/**
 * What a token may do: everything approved, or the part asked for.
 * @throws OAuthError invalid_scope when more is asked for than is approved
 */
export const narrow = <Name extends string>(
  approved: readonly Name[],
  asked: readonly Name[] | null,
  reason: Extract<
    ScopeReason,
    'openid_not_approved' | 'permission_not_approved' | 'workspace_not_approved'
  >,
): Name[] => {
  if (asked === null) return [...approved]
  if (!covers(approved, asked)) throw invalidScope(reason)
  return intersect(approved, asked)
}

/** The workspaces of `present` that every limit lets through. */
export const reachOf = (present: readonly string[], ...limits: WorkspaceLimit[]): string[] =>
  present.filter((id) => limits.every((limit) => limit === null || limit.includes(id)))
