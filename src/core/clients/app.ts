import type { Interface } from '../language/permissions.ts'

export type ClientType = 'confidential' | 'public'

/** A registered OAuth client. */
export interface App {
  clientId: string
  name: string
  interface: Interface
  clientType: ClientType
  /** In the operator's order; the first is the legacy default. */
  redirectUris: string[]
  /** The most that the app may ever ask for. */
  permissions: string[]
  /** May it ask who people are (OpenID Connect)? Current interface only. */
  openid: boolean
  /** May it ask from a device without a browser (RFC 8628)? Current interface only. */
  deviceFlow: boolean
  /** Must it prove a key with each token request (RFC 9449 §5.2)? Current interface only. */
  dpopBoundAccessTokens: boolean
  /** Does the operator vouch for what it says of itself? */
  reviewed: boolean
  description: string | null
  logoUri: string | null
  homepageUri: string | null
  jwks: { keys: object[] } | null
  retryWindowSeconds: number
  /** Moves when the app is disabled; every earlier grant is dead. */
  familiesEpoch: number
  disabled: boolean
}

/** At most this many secrets of an app are active at once: the one in use and its successor. */
export const mostSecrets = 2

/** A stored secret: only its keyed digest is kept. */
export interface SecretDigest {
  id: string
  digest: Buffer
}
