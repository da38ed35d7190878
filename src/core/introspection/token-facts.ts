import type { App } from '../clients/app.ts'
import type { OpenidScope } from '../clients/openid.ts'
import type { LoadedGrant, LoadedInstall } from '../grants/store.ts'
import type { Interface } from '../language/permissions.ts'
import type { TokenReason } from '../language/sub-reasons.ts'
import type { KeySet } from '../organizations/key-set.ts'

export interface IntrospectedGrant extends LoadedGrant {
  app: App
  /** This one access token was revoked by itself. */
  revoked: boolean
  /** What was written down when the grant ended. */
  endedReason: string | null
}

export interface IntrospectedInstall extends LoadedInstall {
  app: App
  organizationId: string
  ended: boolean
  revoked: boolean
}

export interface IntrospectedKeySet {
  keySet: KeySet
  /** `sealed` is there on the current interface. Those that have ended are told to ourselves only. */
  secrets: {
    id: string
    digest: Buffer
    sealed: Buffer | null
    expiresAt: Date | null
    ended: boolean
  }[]
  presentWorkspaceIds: string[]
}

/** What a query found, and the keyed digest of the secret of the resource server that asks. */
export interface Answer<Found> {
  askerDigest: Buffer | null
  found: Found | null
}

/** One query each, which authenticates the asking resource server too; `asker` null: we ask ourselves. */
export interface IntrospectionStore {
  grant(asker: string | null, id: string, jti: string | null): Promise<Answer<IntrospectedGrant>>
  install(asker: string | null, id: string, jti: string): Promise<Answer<IntrospectedInstall>>
  keySet(asker: string | null, clientId: string): Promise<Answer<IntrospectedKeySet>>
  /** @param digests of a legacy secret key, under every master key */
  keySetBySecret(
    asker: string | null,
    digests: readonly Buffer[],
  ): Promise<Answer<IntrospectedKeySet>>
  /** Nothing to look up, but the asker. */
  nothing(asker: string | null): Promise<Answer<never>>
}

export type TokenKind = 'user' | 'install' | 'self_signed' | 'key_set'

/** What an authentic token means now. Times are seconds since 1970. */
export interface TokenFacts {
  kind: TokenKind
  type: 'access_token' | 'refresh_token' | 'code' | 'self_signed' | 'secret_key'
  interface: Interface
  issuer: string
  /** User id, or the client id of an app or key set that acts for itself. */
  subject: string
  clientId: string
  organizationId: string
  permissions: string[]
  /** What it opens at the userinfo endpoint. */
  openidScopes: OpenidScope[]
  /** null = all. */
  workspaceIds: string[] | null
  issuedAt: number | null
  /** When the credential ends, as far as it is known now. */
  expiresAt: number | null
  jti: string | null
  /** Thumbprint of the key without which it is no good; null: whoever has it may use it. */
  jkt: string | null
}

export interface Verdict {
  /** Why it is not active, as a stable sub-reason; null: active. Never for an answer. */
  refused: TokenReason | null
  /** null: not authentic, or nobody knows what it was about. */
  facts: TokenFacts | null
  /** The key set that a token names which none of its secrets has signed; nothing else in it is believed. */
  named?: Pick<KeySet, 'clientId' | 'organizationId'>
}

/** Is given the stored digest of the asker's secret before anything is told; it may throw. */
export type Admit = (askerDigest: Buffer | null) => void

/** Reads the world anew for one token. @param asker client id of the resource server that asks */
export type TokenReader<Token> = (
  token: Token,
  asker: string | null,
  admit: Admit,
) => Promise<Verdict>
