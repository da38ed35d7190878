import type { AppSettings } from './app-settings.ts'

/** A registered OAuth client as requests read it: without the settings that only the operator or a sign-out needs. */
export interface App
  extends Omit<AppSettings, 'mayAct' | 'owners' | 'postLogoutRedirectUris' | 'uploadedLogo'> {
  clientId: string
  /** Digest of its logo, which this server serves; null: there is none, or it was not fetched. */
  logoDigest: string | null
  /** Came in by the rule of the host of its document, without the operator: the host's ceiling bounds it. */
  admitted: boolean
  /** Increases when the app is disabled; earlier grants are dead for good. */
  familiesEpoch: number
}

/** Maximum number of active secrets: the present one and its successor. */
export const mostSecrets = 2

/** A stored secret: its keyed digest. */
export interface SecretDigest {
  id: string
  digest: Buffer
  /** The hash of another server, which counts instead; absent: none. */
  foreignHash?: string | null
}
