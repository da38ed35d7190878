import { type ActorClaims, readActors } from './actors.ts'
import { type TokenFault, TokenInvalid } from './errors.ts'
import { isObject, isSeconds, isText, isTextList, type JsonObject } from './json.ts'
import type { Interface } from './rules/permissions.ts'
import { isSameResource } from './rules/resource-form.ts'
import type { Settings } from './settings.ts'

/** The claims of a token, read from it or from the server. */
export interface Claims {
  kind: 'user' | 'install' | 'self_signed' | 'key_set'
  interface: Interface
  organizationId: string
  clientId: string
  userId: string | null
  permissions: readonly string[]
  /** null: all workspaces of the organization. */
  workspaceIds: readonly string[] | null
  /** The token does not list its workspaces: the server must be asked, and until then it reaches none. */
  isOpen: boolean
  /** Seconds since 1970; null: no expiry. */
  expiresAt: number | null
  /** Seconds since 1970; null: unknown. */
  issuedAt: number | null
  tokenId: string | null
  grantId: string | null
  installId: string | null
  /** Number of times that all tokens of the app, or of the user, had been revoked before this one was issued. */
  appEpoch: number
  userEpoch: number
  /** Number of times that the user had disconnected the app in this organization. */
  connectionEpoch: number
  /** Thumbprint of the key that the token is bound to; null for a bearer token. */
  jkt: string | null
  /** The user's sign-in (RFC 9470 §6): seconds since 1970, and its context class; null: unknown, or there is no user. */
  authTime: number | null
  acr: string | null
  /** The apps that act with the authorization of another one, the current one first; usually empty. */
  actors: readonly ActorClaims[]
}

type Expected = Pick<Settings, 'issuer' | 'audience' | 'clockTolerance'>

const isInterface = (value: unknown): value is Interface =>
  value === 'legacy' || value === 'current'

/** RFC 7519 §4.1.3: the audience is one value or several. A client may have written its URI in another way. */
const isFor = (audience: unknown, wanted: string) => {
  const named = isText(audience) ? [audience] : audience
  return isTextList(named) && named.some((one) => isSameResource(one, wanted))
}

/** RFC 7519 §4.1.4 to §4.1.6. @param at seconds since 1970 */
const checkTimes = ({ exp, iat, nbf }: JsonObject, tolerance: number, at: number) => {
  if (!isSeconds(exp) || !isSeconds(iat) || (nbf !== undefined && !isSeconds(nbf)))
    throw new TokenInvalid('claims')
  if (exp + tolerance <= at) throw new TokenInvalid('expired')
  if (Math.max(iat, nbf ?? 0) - tolerance > at) throw new TokenInvalid('not_yet_valid')
}

/**
 * Tokens of the current interface list their workspaces or say that the server knows them, and those of the legacy
 * interface do neither. So a missing list must not be read as "all" where a list is required.
 */
const reachOf = (
  generation: Interface,
  { workspace_ids: ids, workspaces }: JsonObject,
): Pick<Claims, 'workspaceIds' | 'isOpen'> => {
  if (workspaces === undefined) {
    if (generation === 'legacy' && ids === undefined) return { workspaceIds: null, isOpen: false }
    if (generation === 'current' && isTextList(ids)) return { workspaceIds: ids, isOpen: false }
  } else if (generation === 'current' && workspaces === 'introspect' && ids === undefined)
    return { workspaceIds: [], isOpen: true }
  throw new TokenInvalid('claims')
}

/** Tokens issued before epochs were introduced have no epoch, which counts as 0. */
const epochOf = (value: unknown): number => {
  if (value === undefined) return 0
  if (!isSeconds(value)) throw new TokenInvalid('claims')
  return value
}

const textOf = (value: unknown): string | null => {
  if (value === undefined) return null
  if (!isText(value)) throw new TokenInvalid('claims')
  return value
}

/** RFC 7800 §3.1: a token with an unsupported confirmation is refused. */
const keyOf = (confirmation: unknown): string | null => {
  if (confirmation === undefined) return null
  const members = isObject(confirmation) ? confirmation : {}
  if (!isText(members.jkt) || Object.keys(members).length > 1) throw new TokenInvalid('claims')
  return members.jkt
}

/** @throws TokenInvalid for anything but seconds since 1970 */
const timeOf = (value: unknown): number | null => {
  if (value === undefined) return null
  if (!isSeconds(value)) throw new TokenInvalid('claims')
  return value
}

/** An app must not pass for another one, so a malformed chain is refused. */
const actorsOf = (payload: JsonObject): readonly ActorClaims[] => {
  const actors = readActors(payload)
  if (!actors) throw new TokenInvalid('claims')
  return actors
}

/** A user token names its user and its grant. An install token names its app (RFC 9068 §2.2) and its install. */
const partyOf = (payload: JsonObject, clientId: string): Pick<Claims, 'kind' | 'userId'> => {
  const { kind, sub, grant_id, install_id } = payload
  if (kind === 'user' && isText(sub) && isText(grant_id)) return { kind, userId: sub }
  if (kind === 'install' && sub === clientId && isText(install_id)) return { kind, userId: null }
  throw new TokenInvalid('claims')
}

const claimsIn = (payload: JsonObject, expected: Expected, at: number): Claims => {
  const { client_id, organization_id, permissions, jti } = payload
  if (payload.iss !== expected.issuer) throw new TokenInvalid('issuer')
  if (!isFor(payload.aud, expected.audience)) throw new TokenInvalid('audience')
  checkTimes(payload, expected.clockTolerance, at)
  if (!isText(client_id) || !isText(organization_id) || !isText(jti) || !isTextList(permissions))
    throw new TokenInvalid('claims')
  if (!isInterface(payload.interface)) throw new TokenInvalid('claims')
  const { kind, userId } = partyOf(payload, client_id)
  const { workspaceIds, isOpen } = reachOf(payload.interface, payload)
  // Each member by name: a spread would cost more than everything else here.
  return {
    kind,
    userId,
    interface: payload.interface,
    organizationId: organization_id,
    clientId: client_id,
    permissions,
    workspaceIds,
    isOpen,
    expiresAt: payload.exp as number,
    issuedAt: payload.iat as number,
    tokenId: jti,
    grantId: textOf(payload.grant_id),
    installId: textOf(payload.install_id),
    appEpoch: epochOf(payload.app_epoch),
    userEpoch: epochOf(payload.user_epoch),
    connectionEpoch: epochOf(payload.connection_epoch),
    jkt: keyOf(payload.cnf),
    authTime: timeOf(payload.auth_time),
    acr: textOf(payload.acr),
    actors: actorsOf(payload),
  }
}

/**
 * Reads the claims of an issued token after its signature was verified (RFC 9068 §4).
 * @param at seconds since 1970
 * @param onRefused called before the error is thrown
 * @throws TokenInvalid
 */
export const readClaims = (
  payload: JsonObject,
  expected: Expected,
  at: number,
  onRefused: (reason: TokenFault, payload: JsonObject) => void,
): Claims => {
  try {
    return claimsIn(payload, expected, at)
  } catch (error) {
    if (error instanceof TokenInvalid) onRefused(error.reason, payload)
    throw error
  }
}
