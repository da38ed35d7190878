// Each setting of an app has its type, its default and its rules here.
import { snakeCase } from '../language/case.ts'
import { descriptionFaults, nameFaults } from '../language/display-text.ts'
import { type Fault, faultAt } from '../language/faults.ts'
import type { Interface } from '../language/permissions.ts'
import type { ClientType } from './client-type.ts'
import { legalLinkFaults, linkFaults, logoFaults } from './link.ts'
import { permissionLengthFaults } from './permission-rules.ts'
import { redirectUriFault } from './redirect-uri.ts'
import { profileFaults, type SecurityProfile } from './security-profile.ts'
import type { SigningAlgorithm } from './signing-algorithm.ts'
import { shortestTokenLifetime, type TokenLifetimes } from './token-lifetime.ts'
import { type Workload, workloadName } from './workloads.ts'

export const mostRedirectUris = 200
export const mostOwners = 20
export const mostActors = 20
export const longestRetryWindow = 60 // seconds

/** Where the people of the platform open an app (specification §1): in a frame of the platform, outside, or both. */
export const appKinds = ['inside', 'outside', 'hybrid'] as const
export type AppKind = (typeof appKinds)[number]

/** The settings of an app that the operator chooses. */
export interface AppSettings {
  name: string
  interface: Interface
  clientType: ClientType
  /** In the operator's order; the first one is the legacy default. */
  redirectUris: string[]
  /** Maximum permissions that the app may request. */
  permissions: string[]
  /** The app may request the scopes of OpenID Connect. Current interface only. */
  openid: boolean
  /** The signature algorithm of its ID tokens. Current interface only. */
  idTokenSignedResponseAlg: SigningAlgorithm
  /** Its authorization requests need a `code_challenge`. Only confidential OpenID apps can be exempt. */
  pkceRequired: boolean
  /** Its authorization requests must be pushed (RFC 9126 §6). Current interface only. */
  requirePushedAuthorizationRequests: boolean
  /** `fapi2`: FAPI 2.0 Security Profile. Confidential apps of the current interface only. */
  securityProfile: SecurityProfile
  /** The app may use the device flow (RFC 8628). Current interface only. */
  deviceFlow: boolean
  /**
   * The app may present assertions of an organization's identity provider (ID-JAG). Confidential apps of the current
   * interface only.
   */
  identityAssertions: boolean
  /** Each token request of the app needs a DPoP proof (RFC 9449 §5.2). Current interface only. */
  dpopBoundAccessTokens: boolean
  /** Redirect URIs after a sign-out that the app requested, compared byte for byte. */
  postLogoutRedirectUris: string[]
  /** The operator has verified the app's description of itself. */
  reviewed: boolean
  description: string | null
  logoUri: string | null
  homepageUri: string | null
  /** Its privacy policy: an absolute https URL. */
  policyUri: string | null
  /** Its terms of service: an absolute https URL. */
  tosUri: string | null
  /** Where the app runs or is opened: an absolute https URL, or http on loopback (specification §2.1). */
  location: string | null
  /** null: not recorded. */
  kind: AppKind | null
  /** Who offers the app, as people see it. */
  publisher: string | null
  /** The directory of every organization shows the app. */
  listed: boolean
  /**
   * Where an admin returns with an install code, after an installation that began with a link. Confidential apps of the
   * current interface only.
   */
  setupUri: string | null
  jwks: { keys: object[] } | null
  /** Where the app publishes its keys, instead of `jwks`. */
  jwksUri: string | null
  /** Workloads whose tokens authenticate the app. */
  workloads: Workload[]
  /** For this long, a consumed refresh token gets its successor again. */
  retryWindowSeconds: number
  /** Lifetime of its access tokens in seconds; null: that of its interface. */
  accessTokenSeconds: number | null
  /** Ids of the users who maintain the app: they replace its secret. In the operator's order. */
  owners: string[]
  /** Client ids of apps that may exchange its access tokens for narrower ones (RFC 8693). Current interface only. */
  mayAct: string[]
  disabled: boolean
}

/** The settings that events report as changed. Disabling and enabling have events of their own. */
export type ChangeableSettings = Omit<AppSettings, 'interface' | 'disabled'>

/** The settings that a registration must give. */
type Required = 'name' | 'interface' | 'clientType' | 'redirectUris' | 'permissions'

export type RequiredSettings = Pick<AppSettings, Required>

/** The other settings, as a registration may leave them out. */
export const defaultSettings: Omit<AppSettings, Required> = {
  openid: false,
  idTokenSignedResponseAlg: 'ES256',
  pkceRequired: true,
  requirePushedAuthorizationRequests: false,
  securityProfile: 'none',
  deviceFlow: false,
  identityAssertions: false,
  dpopBoundAccessTokens: false,
  postLogoutRedirectUris: [],
  reviewed: false,
  description: null,
  logoUri: null,
  homepageUri: null,
  policyUri: null,
  tosUri: null,
  location: null,
  kind: null,
  publisher: null,
  listed: false,
  setupUri: null,
  jwks: null,
  jwksUri: null,
  workloads: [],
  retryWindowSeconds: 0,
  accessTokenSeconds: null,
  owners: [],
  mayAct: [],
  disabled: false,
}

const uriListFaults = (pointer: string, uris: readonly string[], clientType: ClientType): Fault[] =>
  uris.flatMap((uri, index) => {
    const repeated = uris.indexOf(uri) < index ? 'is a duplicate' : null
    const detail = redirectUriFault(uri, clientType) ?? repeated
    return detail ? [faultAt(`${pointer}/${index}`, 'redirect_uri', detail)] : []
  })

const redirectUriFaults = ({ redirectUris, clientType }: AppSettings): Fault[] => {
  if (redirectUris.length === 0 || redirectUris.length > mostRedirectUris)
    return [
      faultAt('/redirect_uris', 'redirect_uri', `needs 1 to ${mostRedirectUris} redirect URIs`),
    ]
  return uriListFaults('/redirect_uris', redirectUris, clientType)
}

/** A setting that is set, though the legacy interface has no such thing. */
const currentOnly = (pointer: string, app: AppSettings, isSet: boolean): Fault[] =>
  isSet && app.interface === 'legacy'
    ? [faultAt(pointer, 'current_only', 'is for apps of the current interface only')]
    : []

const pkceFaults = ({ pkceRequired, interface: generation, clientType, openid }: AppSettings) =>
  pkceRequired || (generation === 'current' && clientType === 'confidential' && openid)
    ? []
    : [
        faultAt(
          '/pkce_required',
          'pkce',
          'may be false for confidential OpenID apps of the current interface only',
        ),
      ]

const postLogoutFaults = (app: AppSettings): Fault[] => {
  const { postLogoutRedirectUris: uris } = app
  const pointer = '/post_logout_redirect_uris'
  if (app.interface === 'legacy') return currentOnly(pointer, app, uris.length > 0)
  if (uris.length > mostRedirectUris)
    return [faultAt(pointer, 'too_many', `may have at most ${mostRedirectUris} redirect URIs`)]
  return uriListFaults(pointer, uris, app.clientType)
}

/** A setting for client authentication, where the app cannot authenticate so. */
const confidentialOnly = (pointer: string, app: AppSettings, isSet: boolean): Fault[] =>
  isSet && (app.interface !== 'current' || app.clientType !== 'confidential')
    ? [
        faultAt(
          pointer,
          'confidential_only',
          'is for confidential apps of the current interface only',
        ),
      ]
    : []

const setupUriFaults = (app: AppSettings): Fault[] => {
  const { setupUri, clientType } = app
  if (setupUri === null) return []
  const detail = redirectUriFault(setupUri, clientType)
  return [
    ...confidentialOnly('/setup_uri', app, true),
    ...(detail ? [faultAt('/setup_uri', 'setup_uri', detail)] : []),
  ]
}

const jwksUriFaults = (app: AppSettings): Fault[] => [
  ...confidentialOnly('/jwks_uri', app, app.jwksUri !== null),
  ...(app.jwksUri !== null && app.jwks !== null
    ? [faultAt('/jwks_uri', 'keys_twice', 'cannot be beside jwks: set one of the two to null')]
    : []),
]

const assertionFaults = (app: AppSettings): Fault[] =>
  !app.identityAssertions || (app.interface === 'current' && app.clientType === 'confidential')
    ? []
    : [
        faultAt(
          '/identity_assertions',
          'confidential_only',
          'is for confidential apps of the current interface only',
        ),
      ]

const retryWindowFaults = ({ retryWindowSeconds: seconds }: AppSettings): Fault[] =>
  Number.isInteger(seconds) && seconds >= 0 && seconds <= longestRetryWindow
    ? []
    : [
        faultAt(
          '/retry_window_seconds',
          'out_of_range',
          `must be 0 to ${longestRetryWindow} seconds`,
        ),
      ]

const tokenLifetimeFaults = (app: AppSettings, lifetimes: TokenLifetimes): Fault[] => {
  const { accessTokenSeconds: seconds, interface: generation } = app
  const [shortest, longest] = [shortestTokenLifetime, lifetimes[generation]]
  if (seconds === null) return []
  if (Number.isInteger(seconds) && seconds >= shortest && seconds <= longest) return []
  const detail = `must be ${shortest} to ${longest} seconds, or null for ${longest}`
  return [faultAt('/access_token_seconds', 'out_of_range', detail)]
}

const ownerFaults = ({ owners }: AppSettings): Fault[] => {
  if (owners.length > mostOwners)
    return [faultAt('/owners', 'too_many', `may have at most ${mostOwners} users`)]
  return owners.flatMap((id, index) =>
    owners.indexOf(id) < index ? [faultAt(`/owners/${index}`, 'duplicate', 'is a duplicate')] : [],
  )
}

const mayActFaults = (app: AppSettings): Fault[] => {
  const { mayAct, interface: generation } = app
  const pointer = '/may_act'
  if (generation === 'legacy') return currentOnly(pointer, app, mayAct.length > 0)
  if (mayAct.length > mostActors)
    return [faultAt(pointer, 'too_many', `may have at most ${mostActors} apps`)]
  return mayAct.flatMap((id, index) =>
    mayAct.indexOf(id) < index
      ? [faultAt(`${pointer}/${index}`, 'duplicate', 'is a duplicate')]
      : [],
  )
}

interface Setting<Value> {
  /** What is wrong with its value. */
  faults(app: AppSettings, lifetimes: TokenLifetimes): Fault[]
  /** The change is one that the operator has not seen in the review, so it ends the review. */
  endsReview(before: Value, after: Value): boolean
}

const anyValue = () => []
const never = () => false
const changed = (before: unknown, after: unknown) => before !== after
const turnedOn = (before: boolean, after: boolean) => after && !before
const added = (before: readonly string[], after: readonly string[]) =>
  after.some((one) => !before.includes(one))

// A review covers name, description, links, publisher, kind, client type, redirect URIs and permissions. Removing a redirect URI or a
// permission does not end it.
const settings: { [Name in keyof AppSettings]: Setting<AppSettings[Name]> } = {
  name: { faults: ({ name }) => nameFaults('/name', name), endsReview: changed },
  interface: { faults: anyValue, endsReview: never },
  clientType: { faults: anyValue, endsReview: changed },
  redirectUris: { faults: redirectUriFaults, endsReview: added },
  openid: { faults: (app) => currentOnly('/openid', app, app.openid), endsReview: turnedOn },
  idTokenSignedResponseAlg: {
    faults: (app) =>
      currentOnly('/id_token_signed_response_alg', app, app.idTokenSignedResponseAlg !== 'ES256'),
    endsReview: never,
  },
  pkceRequired: { faults: pkceFaults, endsReview: never },
  requirePushedAuthorizationRequests: {
    faults: (app) =>
      currentOnly(
        '/require_pushed_authorization_requests',
        app,
        app.requirePushedAuthorizationRequests,
      ),
    endsReview: never,
  },
  securityProfile: { faults: profileFaults, endsReview: never },
  postLogoutRedirectUris: { faults: postLogoutFaults, endsReview: added },
  deviceFlow: {
    faults: (app) => currentOnly('/device_flow', app, app.deviceFlow),
    endsReview: turnedOn,
  },
  identityAssertions: { faults: assertionFaults, endsReview: never },
  dpopBoundAccessTokens: {
    faults: (app) => currentOnly('/dpop_bound_access_tokens', app, app.dpopBoundAccessTokens),
    endsReview: never,
  },
  permissions: {
    faults: (app) => permissionLengthFaults(app.permissions),
    endsReview: added,
  },
  description: {
    faults: ({ description }) => descriptionFaults('/description', description),
    endsReview: changed,
  },
  logoUri: { faults: ({ logoUri }) => logoFaults('/logo_uri', logoUri), endsReview: changed },
  homepageUri: {
    faults: ({ homepageUri }) => linkFaults('/homepage_uri', homepageUri),
    endsReview: changed,
  },
  policyUri: {
    faults: ({ policyUri }) => legalLinkFaults('/policy_uri', policyUri),
    endsReview: changed,
  },
  tosUri: { faults: ({ tosUri }) => legalLinkFaults('/tos_uri', tosUri), endsReview: changed },
  location: {
    faults: ({ location }) => linkFaults('/location', location, 'location'),
    endsReview: changed,
  },
  kind: { faults: anyValue, endsReview: changed },
  publisher: {
    faults: ({ publisher }) => (publisher === null ? [] : nameFaults('/publisher', publisher)),
    endsReview: changed,
  },
  listed: { faults: anyValue, endsReview: never },
  setupUri: { faults: setupUriFaults, endsReview: changed },
  jwks: {
    faults: (app) => confidentialOnly('/jwks', app, app.jwks !== null),
    endsReview: never,
  },
  jwksUri: { faults: jwksUriFaults, endsReview: never },
  workloads: {
    faults: (app) => confidentialOnly('/workloads', app, app.workloads.length > 0),
    endsReview: never,
  },
  retryWindowSeconds: { faults: retryWindowFaults, endsReview: never },
  accessTokenSeconds: { faults: tokenLifetimeFaults, endsReview: never },
  owners: { faults: ownerFaults, endsReview: never },
  mayAct: { faults: mayActFaults, endsReview: never },
  reviewed: { faults: anyValue, endsReview: never },
  disabled: { faults: anyValue, endsReview: never },
}

const names = Object.keys(settings) as (keyof AppSettings)[]

/** Every rule that an app breaks, except those about keys. @param lifetimes of the interfaces' access tokens */
export const appFaults = (app: AppSettings, lifetimes: TokenLifetimes): Fault[] =>
  names.flatMap((name) => settings[name].faults(app, lifetimes))

/** The app is no longer the one that the operator has reviewed. */
export const isOtherThanReviewed = (before: AppSettings, after: AppSettings) => {
  const ends = <Name extends keyof AppSettings>(name: Name) =>
    settings[name].endsReview(before[name], after[name])
  return names.some((name) => ends(name))
}

/** The settings whose values are in the audit trail, where they are not the defaults. */
const audited: readonly (keyof typeof defaultSettings)[] = [
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
