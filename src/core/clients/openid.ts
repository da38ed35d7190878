import { invalidScope } from '../language/errors.ts'
import { permissionsIn, splitList } from '../language/scope.ts'
import type { Method } from '../people/sign-in-method.ts'
import type { App } from './app.ts'

/** What an app may learn of who somebody is (OpenID Connect Core §5.4). No permissions: they reach no data. */
export const openidScopes = ['openid', 'profile', 'email'] as const
export type OpenidScope = (typeof openidScopes)[number]

/** Scopes of the standard for what nobody has here, or has anyway (Core §5.4, §11): left out, not refused. */
const meaningless = ['address', 'phone', 'offline_access']

/** When and how the person behind an authorization signed in, and the app's word for its request. */
export interface SignIn {
  nonce: string | null
  /** Seconds since 1970; null: nobody can say. */
  authenticatedAt: number | null
  methods: Method[]
}

/** What `scope` asks for. */
export interface AskedScope {
  permissions: string[]
  openidScopes: OpenidScope[]
}

const isOpenidScope = (text: string): text is OpenidScope =>
  (openidScopes as readonly string[]).includes(text)

/**
 * Reads `scope`: permissions of the app's interface, and the scopes of OpenID where the operator allows them.
 * @returns null for a parameter that was not sent
 * @throws OAuthError invalid_scope
 */
export const readScope = (
  app: Pick<App, 'interface' | 'openid'>,
  value: string | undefined,
): AskedScope | null => {
  const tokens = splitList(value)
  if (tokens === null) return null
  const asked = app.interface === 'current' && tokens.some(isOpenidScope)
  if (!asked) return { permissions: permissionsIn(app.interface, tokens), openidScopes: [] }
  if (!app.openid) throw invalidScope('openid_not_allowed')
  // Core §3.1.2.1: without it a request is no OpenID request, and the others mean nothing.
  if (!tokens.includes('openid')) throw invalidScope('openid_missing')
  const rest = tokens.filter((one) => !isOpenidScope(one) && !meaningless.includes(one))
  return {
    permissions: permissionsIn(app.interface, rest),
    openidScopes: openidScopes.filter((one) => tokens.includes(one)),
  }
}

/** The scopes of OpenID in a token's own `scope`. */
export const openidScopesIn = (scope: string): OpenidScope[] => {
  const tokens = scope.split(' ')
  return openidScopes.filter((one) => tokens.includes(one))
}

/** Those of the scopes agreed to that the app may have now. */
export const openidNow = (app: Pick<App, 'openid'>, agreed: readonly OpenidScope[]) =>
  app.openid ? [...agreed] : []

/** `scope` as answers and tokens have it. */
export const scopeText = (scopes: readonly OpenidScope[], permissions: readonly string[]) =>
  [...scopes, ...permissions].join(' ')
