import { invalidScope } from '../language/errors.ts'
import { permissionsIn, splitList } from '../language/scope.ts'
import type { Method } from '../people/sign-in-method.ts'
import type { App } from './app.ts'

/** The scopes for a user's identity (OpenID Connect Core §5.4). They are not permissions and give no access to data. */
export const openidScopes = ['openid', 'profile', 'email'] as const
export type OpenidScope = (typeof openidScopes)[number]

/** Claims that the server does not have (Core §5.4); ignored in an OpenID request. */
const meaningless = ['address', 'phone']

/**
 * Asks for a refresh token (Core §11). Each grant of a user has one, so it is ignored in every request: AI clients send it
 * without OpenID as well.
 */
const offlineAccess = 'offline_access'

/** Scopes of OpenID Connect, which are never names of permissions. */
export const reservedScopes: readonly string[] = [...openidScopes, ...meaningless, offlineAccess]

/** The time and methods of the user's sign-in, and the nonce of the request. */
export interface SignIn {
  nonce: string | null
  /** Seconds since 1970; null when unknown. */
  authenticatedAt: number | null
  methods: Method[]
}

/** The parsed `scope`. */
export interface RequestedScope {
  permissions: string[]
  openidScopes: OpenidScope[]
  /** What an admitted app asks for and may not have; absent: nothing. */
  beyond?: string[]
}

const isOpenidScope = (text: string): text is OpenidScope =>
  (openidScopes as readonly string[]).includes(text)

type Asking = Pick<App, 'interface' | 'openid' | 'permissions'> & Partial<Pick<App, 'admitted'>>

/**
 * May the app ask for this? The maker of an admitted app does not know the ceiling of its host, so scope beyond it is left
 * out and not refused.
 */
const isOpen = ({ permissions, openid }: Asking, scope: string) =>
  permissions.includes(scope) || (openid && reservedScopes.includes(scope))

/** The scopes of a request; null if it has none, or on the current interface only `offline_access`. */
const splitScope = (app: Asking, value: string | undefined): string[] | null => {
  const tokens = splitList(value)
  if (tokens === null || app.interface === 'legacy') return tokens
  const rest = tokens.filter((one) => one !== offlineAccess)
  return rest.length === 0 ? null : rest
}

/** @throws OAuthError invalid_scope */
const scopeOf = (app: Asking, tokens: readonly string[]): RequestedScope => {
  const requested = app.interface === 'current' && tokens.some(isOpenidScope)
  if (!requested) return { permissions: permissionsIn(app, tokens), openidScopes: [] }
  if (!app.openid) throw invalidScope('openid_not_allowed')
  // Core §3.1.2.1: without `openid` this is no OpenID request, and the other identity scopes are invalid.
  if (!tokens.includes('openid')) throw invalidScope('openid_missing')
  const rest = tokens.filter((one) => !isOpenidScope(one) && !meaningless.includes(one))
  return {
    permissions: permissionsIn(app, rest),
    openidScopes: openidScopes.filter((one) => tokens.includes(one)),
  }
}

/**
 * Parses `scope`: permissions of the app's interface, and identity scopes if the operator allows them.
 * @returns null for a missing parameter, which is also one that asks for nothing but `offline_access`
 * @throws OAuthError invalid_scope
 */
export const readScope = (app: Asking, value: string | undefined): RequestedScope | null => {
  const tokens = splitScope(app, value)
  if (tokens === null || !app.admitted || app.interface === 'legacy')
    return tokens && scopeOf(app, tokens)
  const open = tokens.filter((one) => isOpen(app, one))
  const beyond = tokens.filter((one) => !open.includes(one))
  return { ...scopeOf(app, open), ...(beyond.length > 0 && { beyond }) }
}

/**
 * May the request have no `code_challenge`? Only OpenID requests of a confidential client that the operator has exempted:
 * its authentication and the nonce protect the code (RFC 9700 §2.1.1).
 */
export const mayOmitChallenge = (
  app: Pick<App, 'clientType' | 'openid' | 'pkceRequired'>,
  scope: string | undefined,
): boolean =>
  !app.pkceRequired &&
  app.openid &&
  app.clientType === 'confidential' &&
  (splitList(scope)?.includes('openid') ?? false)

/** The identity scopes in a token's `scope`. */
export const openidScopesIn = (scope: string): OpenidScope[] => {
  const tokens = scope.split(' ')
  return openidScopes.filter((one) => tokens.includes(one))
}

/** The approved identity scopes that the app may have now. */
export const openidNow = (app: Pick<App, 'openid'>, agreed: readonly OpenidScope[]) =>
  app.openid ? [...agreed] : []

/** `scope` for responses and tokens. */
export const scopeText = (scopes: readonly OpenidScope[], permissions: readonly string[]) =>
  [...scopes, ...permissions].join(' ')
