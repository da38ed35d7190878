import type { Interface } from '../language/permissions.ts'

export type ClientType = 'confidential' | 'public'

/** A registered OAuth client. */
export interface App {
  clientId: string
  name: string
  interface: Interface
  clientType: ClientType
  /** In the operator's order; the first one is the legacy default. */
  redirectUris: string[]
  /** Maximum permissions that the app may request. */
  permissions: string[]
  /** May the app use OpenID Connect? Current interface only. */
  openid: boolean
  /** May it use device authorization (RFC 8628)? Current interface only. */
  deviceFlow: boolean
  /** Must it send a DPoP proof with each token request (RFC 9449 §5.2)? Current interface only. */
  dpopBoundAccessTokens: boolean
  /** Has the operator verified the app's description of itself? */
  reviewed: boolean
  description: string | null
  logoUri: string | null
  homepageUri: string | null
  jwks: { keys: object[] } | null
  retryWindowSeconds: number
  /** Increases when the app is disabled; earlier grants are dead for good. */
  familiesEpoch: number
  disabled: boolean
}

/** Maximum number of active secrets: the present one and its successor. */
export const mostSecrets = 2

/** A stored secret: its keyed digest. */
export interface SecretDigest {
  id: string
  digest: Buffer
}
