import { type OpenidScope, scopeText } from '../clients/openid.ts'
import type { Interface } from '../language/permissions.ts'
import type { Authentication } from '../people/sign-in-method.ts'
import {
  type ActClaim,
  actorClaims,
  type DelegationClaim,
  type TokenActor,
} from './delegated-token.ts'

export interface Common {
  interface: Interface
  clientId: string
  organizationId: string
  /** The resources that the token is for (RFC 8707); absent: the default audience. */
  resources?: string[]
  permissions: string[]
  openidScopes: OpenidScope[]
  /** Current interface only. */
  workspaceIds: string[] | null
  /** The token leaves its workspaces to introspection, because their list does not fit; absent: it lists them. */
  isOpen?: boolean
  /** Id of the stored list of workspaces; null: the token lists them, or reaches all approved ones. */
  reachId: string | null
  /** The app's own lifetime of access tokens; null: that of its interface. */
  accessTokenSeconds: number | null
  /** The token expires at this time at the latest, in seconds since 1970; absent: its lifetime decides. */
  notAfter?: number
  /** Set when another access token was exchanged for it (RFC 8693). */
  delegated?: Delegated
}

export interface Delegated {
  /** The current one first; at least one. */
  actors: readonly TokenActor[]
  /** Expiry of the exchanged token, in seconds since 1970. */
  notAfter: number
}

/** The subject of an access token: a user through a grant, or the app itself through its install. */
export type AccessTokenSubject = Common & {
  installId: string
  /**
   * The token is revoked when this epoch of the app changes (`families_epoch`); `userEpoch` does the same for the
   * user.
   */
  appEpoch: number
} & (
    | {
        kind: 'user'
        userId: string
        grantId: string
        userEpoch: number
        /** How often the user had disconnected the app; absent: never. */
        connectionEpoch?: number
        /** Absent: not known for this grant. */
        authentication?: Authentication
      }
    | { kind: 'install' }
  )

export interface AccessTokenClaims {
  iss: string
  /** The default audience, or the asked ones (RFC 8707). */
  aud: string | string[]
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
  /** Instead of a list that does not fit: introspection returns the workspaces. */
  workspaces?: 'introspect'
  /** Introspection finds the stored list by it; absent: all approved workspaces. */
  reach_id?: string
  /** Thumbprint of the key that the token is bound to (RFC 9449 §6.1). */
  cnf?: { jkt: string }
  /** The user's sign-in, as of the authorization (RFC 9068 §2.2.1); absent: unknown, or a token of an app itself. */
  auth_time?: number
  acr?: string
  /** A revocation finds its tokens by these five claims; resource servers use them for nothing else. */
  install_id: string
  app_epoch: number
  grant_id?: string
  user_epoch?: number
  connection_epoch?: number
  /** The apps that act with the authorization, the current one outermost (RFC 8693 §4.1). */
  act?: ActClaim
  /** What ends the part of each actor, in the order of `act`; resource servers use it for nothing else. */
  delegation?: DelegationClaim[]
}

/** How the claims describe the workspaces. */
const reachClaims = ({ workspaceIds, reachId, isOpen }: AccessTokenSubject) => {
  if (workspaceIds === null) return null
  if (!isOpen) return { workspace_ids: workspaceIds }
  return { workspaces: 'introspect' as const, ...(reachId !== null && { reach_id: reachId }) }
}

/** RFC 9068 §3, RFC 8707 §2: one audience is a string. */
export const audienceOf = (resources: string[]): string | string[] => {
  const [only, ...others] = resources
  return only !== undefined && others.length === 0 ? only : resources
}

/** RFC 9068 §2.2.1. A refreshed token keeps the sign-in of its authorization (RFC 9470 §6.1). */
const authenticationClaims = ({ authenticatedAt, contextClass }: Authentication) => ({
  ...(authenticatedAt !== null && { auth_time: authenticatedAt }),
  acr: contextClass,
})

/** The claims of RFC 9068 §2.2 and of the contract. @param issuedAt seconds since 1970 */
export const claimsOf = (
  subject: AccessTokenSubject,
  context: {
    issuer: string
    audience: string
    issuedAt: number
    /** Seconds. */
    lifetime: number
    jti: string
    jkt: string | null
  },
): AccessTokenClaims => ({
  iss: context.issuer,
  aud: subject.resources ? audienceOf(subject.resources) : context.audience,
  sub: subject.kind === 'user' ? subject.userId : subject.clientId,
  client_id: subject.clientId,
  iat: context.issuedAt,
  exp: context.issuedAt + context.lifetime,
  jti: context.jti,
  scope: scopeText(subject.openidScopes, subject.permissions),
  interface: subject.interface,
  kind: subject.kind,
  organization_id: subject.organizationId,
  permissions: subject.permissions,
  ...reachClaims(subject),
  ...(context.jkt !== null && { cnf: { jkt: context.jkt } }),
  install_id: subject.installId,
  app_epoch: subject.appEpoch,
  ...(subject.kind === 'user' && {
    grant_id: subject.grantId,
    user_epoch: subject.userEpoch,
    ...(subject.connectionEpoch && { connection_epoch: subject.connectionEpoch }),
    ...(subject.authentication && authenticationClaims(subject.authentication)),
  }),
  ...(subject.delegated && actorClaims(subject.delegated.actors)),
})
