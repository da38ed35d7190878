import { type OpenidScope, scopeText } from '../clients/openid.ts'
import type { Interface } from '../language/permissions.ts'

/** Seconds; specification §8. */
export const accessTokenLifetime: Record<Interface, number> = { legacy: 7200, current: 3600 }

/** Seconds a code may wait for its redemption (RFC 6749 §4.1.2 allows 600). */
export const codeLifetime = 60

/**
 * Seconds after which a grant without a refresh token is over, counted from its beginning: its access token is by then,
 * also when it was fetched with a code in the code's last second.
 */
export const briefGrantLifetime = (generation: Interface): number =>
  codeLifetime + accessTokenLifetime[generation]

interface Common {
  interface: Interface
  clientId: string
  organizationId: string
  permissions: string[]
  openidScopes: OpenidScope[]
  /** Current interface only. */
  workspaceIds: string[] | null
}

/** What an access token says: for a user through a grant, or for the app itself through its install. */
export type AccessTokenSubject = Common & {
  installId: string
  /** With which the app's tokens die (`families_epoch`); so the user's below. */
  appEpoch: number
} & (
    | {
        kind: 'user'
        userId: string
        grantId: string
        userEpoch: number
        /** How often the person had ended what the app may do; absent: never. */
        connectionEpoch?: number
      }
    | { kind: 'install' }
  )

export interface AccessTokenClaims {
  iss: string
  aud: string
  sub: string
  client_id: string
  iat: number
  exp: number
  jti: string
  scope: string
  interface: Interface
  kind: 'user' | 'install'
  organization_id: string
  permissions: string[]
  workspace_ids?: string[]
  /** The key without which it is no good (RFC 9449 §6.1). */
  cnf?: { jkt: string }
  /** By these five a revocation finds its tokens; resource servers use them for that and nothing else. */
  install_id: string
  app_epoch: number
  grant_id?: string
  user_epoch?: number
  connection_epoch?: number
}

/**
 * The claims of RFC 9068 §2.2 and those of the contract.
 * @param issuedAt seconds since 1970
 */
export const claimsOf = (
  subject: AccessTokenSubject,
  context: { issuer: string; audience: string; issuedAt: number; jti: string; jkt: string | null },
): AccessTokenClaims => ({
  iss: context.issuer,
  aud: context.audience,
  sub: subject.kind === 'user' ? subject.userId : subject.clientId,
  client_id: subject.clientId,
  iat: context.issuedAt,
  exp: context.issuedAt + accessTokenLifetime[subject.interface],
  jti: context.jti,
  scope: scopeText(subject.openidScopes, subject.permissions),
  interface: subject.interface,
  kind: subject.kind,
  organization_id: subject.organizationId,
  permissions: subject.permissions,
  ...(subject.workspaceIds && { workspace_ids: subject.workspaceIds }),
  ...(context.jkt !== null && { cnf: { jkt: context.jkt } }),
  install_id: subject.installId,
  app_epoch: subject.appEpoch,
  ...(subject.kind === 'user' && {
    grant_id: subject.grantId,
    user_epoch: subject.userEpoch,
    ...(subject.connectionEpoch && { connection_epoch: subject.connectionEpoch }),
  }),
})
