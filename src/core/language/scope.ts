import { isIdShaped } from '../crypto/identifiers.ts'
import { invalidScope } from './errors.ts'
import { covers, type Interface, inOrder, intersect, vocabulary } from './permissions.ts'
import type { ScopeReason } from './sub-reasons.ts'

// RFC 6749 §3.3: scope-token = 1*( %x21 / %x23-5B / %x5D-7E ), separated by single spaces.
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/
const mostTokens = 1000

/** `null`: all workspaces, present and future; a list: exactly these. */
export type WorkspaceLimit = readonly string[] | null

/**
 * Splits a space-delimited list.
 * @returns null for a missing parameter
 * @throws OAuthError invalid_scope for a blank list, a foreign character or too many entries
 */
export const splitList = (value: string | undefined): string[] | null => {
  if (value === undefined) return null
  const tokens = [...new Set(value.split(' ').filter((token) => token !== ''))]
  if (tokens.length === 0 || tokens.length > mostTokens) throw invalidScope('malformed')
  if (!tokens.every((token) => scopeToken.test(token))) throw invalidScope('malformed')
  return tokens
}

/** The part of an app that decides which words are permissions. */
interface Asking {
  interface: Interface
  permissions: readonly string[]
}

/**
 * Checks that the words are built-in permissions of the app's interface, or permissions of the app, and returns them
 * in order. An app has only permissions of the catalogue, so a request never waits for the catalogue.
 * @throws OAuthError invalid_scope
 */
export const permissionsIn = (app: Asking, tokens: readonly string[]): string[] => {
  const builtIn = vocabulary[app.interface]
  const isKnown = (one: string) => builtIn.includes(one) || app.permissions.includes(one)
  if (!tokens.every(isKnown)) throw invalidScope('unknown_permission')
  return inOrder(app.interface, tokens)
}

/** Parses a `scope` that can contain only permissions; null when missing. @throws OAuthError invalid_scope */
export const parseScope = (app: Asking, value: string | undefined): string[] | null => {
  const tokens = splitList(value)
  return tokens && permissionsIn(app, tokens)
}

/** Parses `workspace_ids`, space-delimited workspace ids; null when missing. @throws OAuthError invalid_scope */
export const parseWorkspaceIds = (value: string | undefined): string[] | null => {
  const ids = splitList(value)
  if (ids?.every(isIdShaped) === false) throw invalidScope('malformed')
  return ids
}

/**
 * Narrows a token: to all that is approved, or to the requested part of it.
 * @throws OAuthError invalid_scope when the request exceeds the approval
 */
export const narrow = <Name extends string>(
  approved: readonly Name[],
  requested: readonly Name[] | null,
  reason: Extract<
    ScopeReason,
    'openid_not_approved' | 'permission_not_approved' | 'workspace_not_approved'
  >,
): Name[] => {
  if (requested === null) return [...approved]
  if (!covers(approved, requested)) throw invalidScope(reason)
  return intersect(approved, requested)
}

/** The workspaces of `present` that every limit allows. */
export const reachOf = (present: readonly string[], ...limits: WorkspaceLimit[]): string[] =>
  intersect(present, ...limits.filter((limit) => limit !== null))
