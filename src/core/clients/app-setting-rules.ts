// The rules of each setting of an app, and which changes of it end the operator's review.
import { snakeCase } from '../language/case.ts'
import { descriptionFaults, nameFaults } from '../language/display-text.ts'
import { type Fault, faultAt, faultIf, faultsOfItems } from '../language/faults.ts'
import {
  type AppSettings,
  longestRetryWindow,
  mostActors,
  mostOwners,
  mostRedirectUris,
} from './app-settings.ts'
import type { ClientType } from './client-type.ts'
import { legalLinkFaults, linkFaults, logoFaults } from './link.ts'
import { permissionLengthFaults } from './permission-rules.ts'
import { redirectUriFault } from './redirect-uri.ts'
import {
  hasOtherReasons,
  optionalPermissionFaults,
  permissionReasonFaults,
  requiresMore,
} from './required-permissions.ts'
import { isFapi } from './security-profile.ts'
import { shortestTokenLifetime, type TokenLifetimes } from './token-lifetime.ts'
import { twoLogosFaults } from './uploaded-logo.ts'

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

const pointerOf = (name: keyof AppSettings) => `/${snakeCase(name)}`

const isSet = (app: AppSettings, name: keyof AppSettings) => {
  const value = app[name]
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== false
}

/** A setting that is set, though the legacy interface has no such thing. */
const currentOnly =
  (name: keyof AppSettings, usual?: AppSettings[typeof name]) =>
  (app: AppSettings): Fault[] => {
    const isWrong = app.interface === 'legacy' && isSet(app, name) && app[name] !== usual
    const detail = 'is for apps of the current interface only'
    return faultIf(isWrong, pointerOf(name), 'current_only', detail)
  }

const isConfidential = (app: AppSettings) =>
  app.interface === 'current' && app.clientType === 'confidential'

const pkceFaults = (app: AppSettings) => {
  const detail = 'may be false for confidential OpenID apps of the current interface only'
  const isExempt = isConfidential(app) && app.openid
  return faultIf(!app.pkceRequired && !isExempt, '/pkce_required', 'pkce', detail)
}

const postLogoutFaults = (app: AppSettings): Fault[] => {
  const { postLogoutRedirectUris: uris } = app
  const pointer = '/post_logout_redirect_uris'
  if (app.interface === 'legacy') return currentOnly('postLogoutRedirectUris')(app)
  if (uris.length > mostRedirectUris)
    return [faultAt(pointer, 'too_many', `may have at most ${mostRedirectUris} redirect URIs`)]
  return uriListFaults(pointer, uris, app.clientType)
}

/** A setting that is set, though the app cannot authenticate itself. */
const confidentialOnly =
  (name: keyof AppSettings) =>
  (app: AppSettings): Fault[] => {
    const detail = 'is for confidential apps of the current interface only'
    const isWrong = isSet(app, name) && !isConfidential(app)
    return faultIf(isWrong, pointerOf(name), 'confidential_only', detail)
  }

const setupUriFaults = (app: AppSettings): Fault[] => {
  const { setupUri, clientType } = app
  if (setupUri === null) return []
  const detail = redirectUriFault(setupUri, clientType)
  return [
    ...confidentialOnly('setupUri')(app),
    ...(detail ? [faultAt('/setup_uri', 'setup_uri', detail)] : []),
  ]
}

const jwksUriFaults = (app: AppSettings): Fault[] => {
  const isTwice = app.jwksUri !== null && app.jwks !== null
  const twice = 'cannot be beside jwks: set one of the two to null'
  const faults = faultIf(isTwice, '/jwks_uri', 'keys_twice', twice)
  return [...confidentialOnly('jwksUri')(app), ...faults]
}

const isWholeBetween = (value: number, least: number, most: number) =>
  Number.isInteger(value) && value >= least && value <= most

const retryWindowFaults = ({ retryWindowSeconds }: AppSettings): Fault[] => {
  const isWrong = !isWholeBetween(retryWindowSeconds, 0, longestRetryWindow)
  const detail = `must be 0 to ${longestRetryWindow} seconds`
  return faultIf(isWrong, '/retry_window_seconds', 'out_of_range', detail)
}

const tokenLifetimeFaults = (app: AppSettings, lifetimes: TokenLifetimes): Fault[] => {
  const { accessTokenSeconds: seconds, interface: generation } = app
  const [shortest, longest] = [shortestTokenLifetime, lifetimes[generation]]
  if (seconds === null || isWholeBetween(seconds, shortest, longest)) return []
  const detail = `must be ${shortest} to ${longest} seconds, or null for ${longest}`
  return [faultAt('/access_token_seconds', 'out_of_range', detail)]
}

const idFaults = (pointer: string, ids: readonly string[], most: number, what: string): Fault[] => {
  if (ids.length > most) return [faultAt(pointer, 'too_many', `may have at most ${most} ${what}`)]
  const isRepeated = (id: string, at: number) => ids.indexOf(id) < at
  return faultsOfItems(ids, isRepeated, pointer, 'duplicate', 'is a duplicate')
}

const mayActFaults = (app: AppSettings): Fault[] =>
  app.interface === 'legacy'
    ? currentOnly('mayAct')(app)
    : idFaults('/may_act', app.mayAct, mostActors, 'apps')

/** The settings that FAPI 2.0 does not allow. */
const profileFaults = (app: AppSettings): Fault[] => {
  if (!isFapi(app)) return []
  const fault = (isWrong: boolean, pointer: string, detail: string): Fault[] =>
    faultIf(isWrong, pointer, 'fapi2', `${detail} with security_profile fapi2`)
  return [
    ...fault(
      app.interface !== 'current' || app.clientType !== 'confidential',
      '/security_profile',
      'must be none: only confidential apps of the current interface can work',
    ),
    ...app.redirectUris.flatMap((uri, index) =>
      fault(!uri.startsWith('https://'), `/redirect_uris/${index}`, 'must use https'),
    ),
    ...fault(app.jwks === null && app.jwksUri === null, '/jwks', 'or jwks_uri is required'),
    ...fault(app.workloads.length > 0, '/workloads', 'must be empty'),
    ...fault(!app.pkceRequired, '/pkce_required', 'must be true'),
    ...fault(
      app.idTokenSignedResponseAlg !== 'ES256',
      '/id_token_signed_response_alg',
      'must be ES256',
    ),
    ...fault(app.deviceFlow, '/device_flow', 'must be false'),
    ...fault(app.retryWindowSeconds === 0, '/retry_window_seconds', 'must be at least 1'),
  ]
}

type Setting<Value> = [
  /** What is wrong with its value. */
  faults: (app: AppSettings, lifetimes: TokenLifetimes) => Fault[],
  /** The change is one that the operator has not seen in the review, so it ends the review. */
  endsReview: (before: Value, after: Value, app: AppSettings) => boolean,
]

const anyValue = () => []
const never = () => false
const changed = (before: unknown, after: unknown) => before !== after
const turnedOn = (before: boolean, after: boolean) => after && !before
const added = (before: readonly string[], after: readonly string[]) =>
  after.some((one) => !before.includes(one))

// A review covers name, description, links, publisher, kind, client type, redirect URIs and permissions. Removing a redirect URI or a
// permission does not end it.
const settings: { [Name in keyof AppSettings]: Setting<AppSettings[Name]> } = {
  name: [({ name }) => nameFaults('/name', name), changed],
  interface: [anyValue, never],
  clientType: [anyValue, changed],
  redirectUris: [redirectUriFaults, added],
  openid: [currentOnly('openid'), turnedOn],
  idTokenSignedResponseAlg: [currentOnly('idTokenSignedResponseAlg', 'ES256'), never],
  pkceRequired: [pkceFaults, never],
  requirePushedAuthorizationRequests: [currentOnly('requirePushedAuthorizationRequests'), never],
  securityProfile: [profileFaults, never],
  postLogoutRedirectUris: [postLogoutFaults, added],
  deviceFlow: [currentOnly('deviceFlow'), turnedOn],
  identityAssertions: [confidentialOnly('identityAssertions'), never],
  dpopBoundAccessTokens: [currentOnly('dpopBoundAccessTokens'), never],
  permissions: [({ permissions }) => permissionLengthFaults(permissions), added],
  optionalPermissions: [optionalPermissionFaults, requiresMore],
  permissionReasons: [permissionReasonFaults, hasOtherReasons],
  description: [({ description }) => descriptionFaults('/description', description), changed],
  logoUri: [({ logoUri }) => logoFaults('/logo_uri', logoUri), changed],
  uploadedLogo: [twoLogosFaults, changed],
  homepageUri: [({ homepageUri }) => linkFaults('/homepage_uri', homepageUri), changed],
  policyUri: [({ policyUri }) => legalLinkFaults('/policy_uri', policyUri), changed],
  tosUri: [({ tosUri }) => legalLinkFaults('/tos_uri', tosUri), changed],
  location: [({ location }) => linkFaults('/location', location, 'location'), changed],
  kind: [anyValue, changed],
  publisher: [
    ({ publisher }) => (publisher === null ? [] : nameFaults('/publisher', publisher)),
    changed,
  ],
  listed: [anyValue, never],
  setupUri: [setupUriFaults, changed],
  jwks: [confidentialOnly('jwks'), never],
  jwksUri: [jwksUriFaults, never],
  workloads: [confidentialOnly('workloads'), never],
  retryWindowSeconds: [retryWindowFaults, never],
  accessTokenSeconds: [tokenLifetimeFaults, never],
  owners: [({ owners }) => idFaults('/owners', owners, mostOwners, 'users'), never],
  mayAct: [mayActFaults, never],
  reviewed: [anyValue, never],
  disabled: [anyValue, never],
}

const names = Object.keys(settings) as (keyof AppSettings)[]

/** Every rule that an app breaks, except those about keys. @param lifetimes of the interfaces' access tokens */
export const appFaults = (app: AppSettings, lifetimes: TokenLifetimes): Fault[] =>
  names.flatMap((name) => settings[name][0](app, lifetimes))

/** The app is no longer the one that the operator has reviewed. */
export const isOtherThanReviewed = (before: AppSettings, after: AppSettings) => {
  const ends = <Name extends keyof AppSettings>(name: Name) =>
    settings[name][1](before[name], after[name], after)
  return names.some((name) => ends(name))
}
