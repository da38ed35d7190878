// The server, the parties and the keys of all vectors.

import type { TokenLifetimes } from '../../src/core/clients/token-lifetime.ts'
import { tokenLifetimeOf } from '../../src/core/clients/token-lifetime.ts'
import { type AccessTokenSubject, claimsOf } from '../../src/core/tokens/access-token-claims.ts'
import { ecKey, type Key } from './keys.ts'
import type { Expected, ExpectedAccess, Vector } from './vector.ts'

export const issuer = 'https://auth.example.com'
const audience = 'https://api.example.com'
/** Seconds since 1970. */
export const now = 2_000_000_000
/** A minute before `now`. */
export const issuedAt = now - 60
/** Specification §8. */
const lifetimes: TokenLifetimes = { current: 3600, legacy: 7200 }

/** The credentials of the data API: part of the MAC of DPoP nonces. */
export const resourceServer = {
  clientId: 'rsv_vectors',
  clientSecret: 'the secret of the resource server in all vectors',
}

/** The server's active signing key. */
export const signingKey = ecKey('signing key')

/** A key as the server publishes it. */
export const published = ({ alg, jwk, thumbprint }: Key) => ({
  ...jwk,
  kid: thumbprint,
  alg,
  use: 'sig',
})

export const jwks = { keys: [published(signingKey)] }

export type UserSubject = Extract<AccessTokenSubject, { kind: 'user' }>

const app = {
  clientId: 'app_board',
  organizationId: 'org_north',
  installId: 'ins_board_in_north',
  appEpoch: 0,
  openidScopes: [],
  reachId: null,
  accessTokenSeconds: null,
}
const user = { kind: 'user', userId: 'usr_ada', grantId: 'grn_ada', userEpoch: 0 } as const
const current = {
  interface: 'current' as const,
  permissions: ['records:create', 'records:update'],
  workspaceIds: ['wks_plan', 'wks_sales'],
}
const legacy = {
  interface: 'legacy' as const,
  permissions: ['readData', 'insertData'],
  workspaceIds: null,
}

/** The subjects of the server's tokens: an app for its user, and an app for itself, on both interfaces. */
export const currentUser: UserSubject = { ...app, ...current, ...user }
export const currentInstall: AccessTokenSubject = { ...app, ...current, kind: 'install' }
export const legacyUser: UserSubject = { ...app, ...legacy, ...user }
export const legacyInstall: AccessTokenSubject = { ...app, ...legacy, kind: 'install' }

/** Seconds. An exchanged token ends with the one that was exchanged. */
const lifetimeOf = (subject: AccessTokenSubject) =>
  subject.delegated ? subject.delegated.notAfter - issuedAt : tokenLifetimeOf(subject, lifetimes)

/** The claims that the server would write. */
export const claimsFor = (
  subject: AccessTokenSubject,
  at: { issuedAt?: number; jti?: string; jkt?: string | null } = {},
): Record<string, unknown> => ({
  ...claimsOf(subject, {
    issuer,
    audience,
    issuedAt: at.issuedAt ?? issuedAt,
    lifetime: lifetimeOf(subject),
    jti: at.jti ?? 'jti_1',
    jkt: at.jkt ?? null,
  }),
})

export const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** The header of the server's tokens. */
export const headerOf = ({ alg, thumbprint }: Key): Record<string, unknown> => ({
  alg,
  typ: 'at+jwt',
  kid: thumbprint,
})

/** Signs header and payload, given as values or as text. */
export const signed = (key: Key, header: unknown, payload: unknown): string => {
  const input = `${encode(header)}.${encode(payload)}`
  return `${input}.${key.sign(input).toString('base64url')}`
}

/** A token of the server. */
export const tokenOf = (subject: AccessTokenSubject, at: Parameters<typeof claimsFor>[1] = {}) =>
  signed(signingKey, headerOf(signingKey), claimsFor(subject, at))

/** A token that the server would never sign like this: members that are undefined are left out. */
export const alteredToken = (
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
): string =>
  signed(
    signingKey,
    { ...headerOf(signingKey), ...header },
    { ...claimsFor(currentUser), ...claims },
  )

const authenticationOf = ({ authentication }: UserSubject) => ({
  ...(authentication?.authenticatedAt && { authTime: authentication.authenticatedAt }),
  ...(authentication && { acr: authentication.contextClass }),
})

/** What a token of this subject allows while nothing has been revoked. */
export const accessOf = (subject: AccessTokenSubject, at = issuedAt): ExpectedAccess => ({
  kind: subject.kind,
  interface: subject.interface,
  organizationId: subject.organizationId,
  clientId: subject.clientId,
  permissions: subject.permissions,
  workspaceIds: subject.interface === 'legacy' ? null : subject.workspaceIds,
  ...(subject.kind === 'user' && { userId: subject.userId }),
  expiresAt: at + lifetimeOf(subject),
  ...(subject.kind === 'user' && authenticationOf(subject)),
})

/** What a token of this subject allows after changes. */
export const accepted = (
  subject: AccessTokenSubject,
  changes: Partial<ExpectedAccess> = {},
): Expected => ({ ok: true, access: { ...accessOf(subject), ...changes } })

/** A vector of this server at `now`. */
export const vector = (
  name: string,
  given: Pick<Vector, 'credential' | 'expect'> & Partial<Vector>,
): Vector => ({ name, now, issuer, audience, jwks, ...given })
