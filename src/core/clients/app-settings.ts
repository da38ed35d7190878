// Each setting of an app has its type and its default here, and its rules in app-setting-rules.ts.
import { snakeCase } from '../language/case.ts'
import type { Sentence } from '../language/permission-catalogue.ts'
import type { Interface } from '../language/permissions.ts'
import type { ClientType } from './client-type.ts'
import type { SecurityProfile } from './security-profile.ts'
import type { SigningAlgorithm } from './signing-algorithm.ts'
import { type Workload, workloadName } from './workloads.ts'

export const mostRedirectUris = 200
export const mostOwners = 20
export const mostActors = 20
export const longestRetryWindow = 60 // seconds

/** Where the people of the platform open an app (specification §1): in a frame of the platform, outside, or both. */
export const appKinds = ['inside', 'outside', 'hybrid'] as const

/** The settings that a registration must give. */
export interface RequiredSettings {
  name: string
  interface: Interface
  clientType: ClientType
  /** In the operator's order; the first one is the legacy default. */
  redirectUris: string[]
  /** Maximum permissions that the app may request. */
  permissions: string[]
}

/** The other settings, as a registration may leave them out. */
export const defaultSettings = {
  /** Those that it can do without; it requires the others. null: all. */
  optionalPermissions: null as string[] | null,
  /** Why it needs a permission, by name: a sentence of its maker. */
  permissionReasons: {} as Record<string, Sentence>,
  /** The app may request the scopes of OpenID Connect. Current interface only. */
  openid: false as boolean,
  /** The signature algorithm of its ID tokens. Current interface only. */
  idTokenSignedResponseAlg: 'ES256' as SigningAlgorithm,
  /** Its authorization requests need a `code_challenge`. Only confidential OpenID apps can be exempt. */
  pkceRequired: true as boolean,
  /** Its authorization requests must be pushed (RFC 9126 §6). Current interface only. */
  requirePushedAuthorizationRequests: false as boolean,
  /** `fapi2`: FAPI 2.0 Security Profile. Confidential apps of the current interface only. */
  securityProfile: 'none' as SecurityProfile,
  /** The app may use the device flow (RFC 8628). Current interface only. */
  deviceFlow: false as boolean,
  /**
   * The app may present assertions of an organization's identity provider (ID-JAG). Confidential apps of the current
   * interface only.
   */
  identityAssertions: false as boolean,
  /** Each token request of the app needs a DPoP proof (RFC 9449 §5.2). Current interface only. */
  dpopBoundAccessTokens: false as boolean,
  /** Redirect URIs after a sign-out that the app requested, compared byte for byte. */
  postLogoutRedirectUris: [] as string[],
  /** The operator has verified the app's description of itself. */
  reviewed: false as boolean,
  description: null as string | null,
  logoUri: null as string | null,
  /** Digest of a logo that was uploaded here. An app has this or `logoUri`. */
  uploadedLogo: null as string | null,
  homepageUri: null as string | null,
  /** Its privacy policy: an absolute https URL. */
  policyUri: null as string | null,
  /** Its terms of service: an absolute https URL. */
  tosUri: null as string | null,
  /** Where the app runs or is opened: an absolute https URL, or http on loopback (specification §2.1). */
  location: null as string | null,
  /** null: not recorded. */
  kind: null as (typeof appKinds)[number] | null,
  /** Who offers the app, as people see it. */
  publisher: null as string | null,
  /** The directory of every organization shows the app. */
  listed: false as boolean,
  /**
   * Where an admin returns with an install code, after an installation that began with a link. Confidential apps of the
   * current interface only.
   */
  setupUri: null as string | null,
  jwks: null as { keys: object[] } | null,
  /** Where the app publishes its keys, instead of `jwks`. */
  jwksUri: null as string | null,
  /** Workloads whose tokens authenticate the app. */
  workloads: [] as Workload[],
  /** For this long, a consumed refresh token gets its successor again. */
  retryWindowSeconds: 0,
  /** Lifetime of its access tokens in seconds; null: that of its interface. */
  accessTokenSeconds: null as number | null,
  /** Ids of the users who maintain the app: they replace its secret. In the operator's order. */
  owners: [] as string[],
  /** Client ids of apps that may exchange its access tokens for narrower ones (RFC 8693). Current interface only. */
  mayAct: [] as string[],
  disabled: false as boolean,
}

type OptionalSettings = typeof defaultSettings

/** The settings of an app that the operator chooses. */
export interface AppSettings extends RequiredSettings, OptionalSettings {}

/** The settings that events report as changed. Disabling and enabling have events of their own. */
export type ChangeableSettings = Omit<AppSettings, 'interface' | 'disabled'>

/** The settings whose values are in the audit trail, where they are not the defaults. */
const audited: readonly (keyof typeof defaultSettings)[] = [
  'optionalPermissions',
  'openid',
  'idTokenSignedResponseAlg',
  'pkceRequired',
  'requirePushedAuthorizationRequests',
  'securityProfile',
  'deviceFlow',
  'identityAssertions',
  'dpopBoundAccessTokens',
  'jwksUri',
]

/** Part of the detail of an audit event of an app, by the names in JSON. */
export const auditedSettings = (app: AppSettings): Record<string, unknown> => ({
  ...Object.fromEntries(
    audited
      .filter((name) => app[name] !== defaultSettings[name])
      .map((name) => [snakeCase(name), app[name]]),
  ),
  ...(app.workloads.length > 0 && { workloads: app.workloads.map(workloadName) }),
})
