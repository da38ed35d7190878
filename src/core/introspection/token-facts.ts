import type { App } from '../clients/app.ts'
import type { OpenidScope } from '../clients/openid.ts'
import type { ResourceLimits } from '../clients/resource-limits.ts'
import type { ResourceServerCredentials } from '../clients/resource-servers.ts'
import type { RefreshExpiration } from '../grants/refresh-token.ts'
import type { LoadedGrant, LoadedInstall } from '../grants/store.ts'
import type { Interface } from '../language/permissions.ts'
import type { WorkspaceLimit } from '../language/scope.ts'
import type { TokenReason } from '../language/sub-reasons.ts'
import type { KeptOut } from '../organizations/audience.ts'
import type { InstallPause } from '../organizations/install.ts'
import type { KeySet } from '../organizations/key-set.ts'

export interface IntrospectedGrant extends LoadedGrant {
  app: App
  /** This access token itself was revoked. */
  revoked: boolean
  /** Seconds since the last recorded use. */
  unused: number
  /** The recorded reason for the end of the grant. */
  endedReason: string | null
  /** The stored workspaces of the token; null: none are stored. */
  storedWorkspaceIds: string[] | null
}

export interface IntrospectedInstall extends LoadedInstall {
  app: App
  organizationId: string
  ended: boolean
  revoked: boolean
  storedWorkspaceIds: string[] | null
}

export interface IntrospectedKeySet {
  keySet: KeySet
  /** `sealed` is set on the current interface. Ended secrets are included only when this server asks for itself. */
  secrets: {
    id: string
    digest: Buffer
    sealed: Buffer | null
    expiresAt: Date | null
    ended: boolean
  }[]
  presentWorkspaceIds: string[]
}

/** The result of a query, and the asking resource server; null: unknown. */
export interface IntrospectionRead<Found> {
  resourceServer: ResourceServerCredentials | null
  found: Found | null
}

/** The present state of an actor's install and app. */
export interface IntrospectedActor {
  installId: string
  clientId: string
  appEpoch: number
  disabled: boolean
  /** Of the app's registration. */
  permissions: string[]
  installPermissions: string[]
  installWorkspaceIds: WorkspaceLimit
  /** Why its install gives nothing at present; null: it does. */
  paused: InstallPause | null
  ended: boolean
  /** Why the user of the token may not use the app; null: they may, or there is none. */
  keptOut: KeptOut | null
}

export interface ActorStore {
  /**
   * One query: the actors' installs, and whether one of the exchanged tokens was revoked.
   * @param tokenIds of the exchanged tokens
   * @param userId for whom they act; null: the app acts for itself
   */
  actors(
    installIds: readonly string[],
    tokenIds: readonly string[],
    userId: string | null,
  ): Promise<{ found: IntrospectedActor[]; revoked: boolean }>
}

/** One query each; those for a token also read the asking resource server. A null `resourceServer` is this server itself. */
export interface IntrospectionStore extends ActorStore {
  /** @param reachId of the stored list of workspaces; null: there is none */
  grant(
    resourceServer: string | null,
    id: string,
    jti: string | null,
    reachId: string | null,
  ): Promise<IntrospectionRead<IntrospectedGrant>>
  install(
    resourceServer: string | null,
    id: string,
    jti: string,
    reachId: string | null,
  ): Promise<IntrospectionRead<IntrospectedInstall>>
  keySet(
    resourceServer: string | null,
    clientId: string,
  ): Promise<IntrospectionRead<IntrospectedKeySet>>
  /** @param digests of a legacy secret key, under every master key */
  keySetBySecret(
    resourceServer: string | null,
    digests: readonly Buffer[],
  ): Promise<IntrospectionRead<IntrospectedKeySet>>
  /** The resources of all resource servers that have one with one of these stems (`stemsOf`). */
  knownResources(stems: readonly string[]): Promise<string[]>
  /** Reads only the resource server. */
  nothing(resourceServer: string | null): Promise<IntrospectionRead<never>>
}

/** Facts that only some credentials have. */
export const untold = {
  /** The scopes for the userinfo endpoint. */
  openidScopes: [] as OpenidScope[],
  issuedAt: null as number | null,
  /** The presently known expiry of the credential. */
  expiresAt: null as number | null,
  jti: null as string | null,
  /** Thumbprint of the key that the token is bound to; null: a bearer token. */
  jkt: null as string | null,
  /** The user's sign-in (RFC 9470 §6.2): seconds since 1970, and `acr`; null: unknown, or there is no user. */
  authenticatedAt: null as number | null,
  contextClass: null as string | null,
  /** Of a refresh token only. */
  refreshExpiration: { authorization: null, timeout: null } as RefreshExpiration,
  /** Client ids of the apps that act with an exchanged token, the current one first; empty for any other token. */
  actors: [] as string[],
}

type ClaimedFacts = typeof untold

/** The present meaning of an authentic token. Times are seconds since 1970. */
export interface TokenFacts extends ClaimedFacts {
  kind: 'user' | 'install' | 'self_signed' | 'key_set'
  type: 'access_token' | 'refresh_token' | 'code' | 'self_signed' | 'secret_key'
  interface: Interface
  issuer: string
  /** User id, or the client id of an app or key set that acts for itself. */
  subject: string
  clientId: string
  organizationId: string
  permissions: string[]
  /** null: all */
  workspaceIds: string[] | null
}

export interface Verdict {
  /** Why the token is inactive, as a stable sub-reason; null: active. Never part of a response. */
  refused: TokenReason | null
  /** null: not authentic, or its subject is unknown */
  facts: TokenFacts | null
  /** The key set that a token names although none of its secrets has signed it; nothing else in the token is trusted. */
  named?: Pick<KeySet, 'clientId' | 'organizationId'>
}

/** Checks the resource server's secret before anything is revealed; may throw. @returns what it may learn */
export type Admit = (resourceServer: ResourceServerCredentials | null) => ResourceLimits

/** Reads the current state for one token. @param resourceServer client id of the asking resource server */
export type TokenReader<Token> = (
  token: Token,
  resourceServer: string | null,
  admit: Admit,
) => Promise<Verdict>
