import { descriptionFaults, nameFaults } from '../language/display-text.ts'
import type { Fault } from '../language/faults.ts'
import { covers, type Interface, vocabulary } from '../language/permissions.ts'
import type { WorkspaceLimit } from '../language/scope.ts'
import type { App } from './app.ts'
import { isLoopback, redirectUriFault } from './redirect-uri.ts'

export const mostRedirectUris = 20
export const longestUri = 2000
export const longestRetryWindow = 60 // seconds

/** The settings of an app that the operator chooses. */
export interface AppSettings extends Omit<App, 'clientId' | 'familiesEpoch'> {
  /** Redirect URIs after a sign-out that the app requested, compared byte for byte. */
  postLogoutRedirectUris: string[]
}

const uriCharacters = /^[\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/

/** Only permissions of the interface's vocabulary are allowed; an empty list is allowed. */
export const permissionFaults = (generation: Interface, permissions: readonly string[]): Fault[] =>
  permissions.flatMap((permission, index) =>
    vocabulary[generation].includes(permission)
      ? []
      : [
          {
            pointer: `/permissions/${index}`,
            detail: `is not a permission of the ${generation} interface`,
          },
        ],
  )

/** Only permissions that the app or its install has are allowed. */
export const excessPermissionFaults = (
  allowed: readonly string[],
  asked: readonly string[],
): Fault[] =>
  asked.flatMap((permission, index) =>
    covers(allowed, [permission])
      ? []
      : [{ pointer: `/permissions/${index}`, detail: 'is more than the app may have' }],
  )

/** Only the organization's own workspaces are allowed; on the legacy interface, which has none, only null. */
export const workspaceLimitFaults = (
  generation: Interface,
  limit: WorkspaceLimit,
  own: readonly string[],
): Fault[] => {
  if (limit === null) return []
  if (generation === 'legacy')
    return [{ pointer: '/workspace_ids', detail: 'must be null: the legacy interface has none' }]
  return limit.flatMap((id, index) =>
    own.includes(id)
      ? []
      : [{ pointer: `/workspace_ids/${index}`, detail: 'is not a workspace of the organization' }],
  )
}

const uriListFaults = (
  pointer: string,
  uris: readonly string[],
  clientType: App['clientType'],
): Fault[] =>
  uris.flatMap((uri, index) => {
    const repeated = uris.indexOf(uri) < index ? 'is a duplicate' : null
    const detail = redirectUriFault(uri, clientType) ?? repeated
    return detail ? [{ pointer: `${pointer}/${index}`, detail }] : []
  })

const redirectUriFaults = ({ redirectUris, clientType }: AppSettings): Fault[] => {
  if (redirectUris.length === 0 || redirectUris.length > mostRedirectUris)
    return [{ pointer: '/redirect_uris', detail: `needs 1 to ${mostRedirectUris} redirect URIs` }]
  return uriListFaults('/redirect_uris', redirectUris, clientType)
}

const openidFaults = (app: AppSettings): Fault[] => {
  const { postLogoutRedirectUris: uris } = app
  const pointer = '/post_logout_redirect_uris'
  const detail = 'is for apps of the current interface only'
  if (app.interface === 'legacy')
    return [
      ...(app.openid ? [{ pointer: '/openid', detail }] : []),
      ...(uris.length > 0 ? [{ pointer, detail }] : []),
    ]
  if (uris.length > mostRedirectUris)
    return [{ pointer, detail: `may have at most ${mostRedirectUris} redirect URIs` }]
  return uriListFaults(pointer, uris, app.clientType)
}

const deviceFaults = ({ interface: generation, deviceFlow }: AppSettings): Fault[] =>
  deviceFlow && generation === 'legacy'
    ? [{ pointer: '/device_flow', detail: 'is for apps of the current interface only' }]
    : []

const dpopFaults = ({ interface: generation, dpopBoundAccessTokens }: AppSettings): Fault[] =>
  dpopBoundAccessTokens && generation === 'legacy'
    ? [
        {
          pointer: '/dpop_bound_access_tokens',
          detail: 'is for apps of the current interface only',
        },
      ]
    : []

const linkFault = (text: string): string | null => {
  if (text.length > longestUri) return `is longer than ${longestUri} characters`
  if (!uriCharacters.test(text) || !URL.canParse(text)) return 'is not an absolute URI'
  const url = new URL(text)
  if (url.username || url.password) return 'has user information'
  if (url.protocol === 'https:' || isLoopback(url)) return null
  return url.protocol === 'http:' && url.hostname === 'localhost' ? null : 'must use https'
}

const linkFaults = (pointer: string, text: string | null): Fault[] => {
  const detail = text === null ? null : linkFault(text)
  return detail ? [{ pointer, detail }] : []
}

const jwksPlaceFaults = ({ jwks, interface: generation, clientType }: AppSettings): Fault[] =>
  jwks === null || (generation === 'current' && clientType === 'confidential')
    ? []
    : [{ pointer: '/jwks', detail: 'is for confidential apps of the current interface only' }]

const retryWindowFaults = ({ retryWindowSeconds: seconds }: AppSettings): Fault[] =>
  Number.isInteger(seconds) && seconds >= 0 && seconds <= longestRetryWindow
    ? []
    : [{ pointer: '/retry_window_seconds', detail: `must be 0 to ${longestRetryWindow} seconds` }]

/** Every rule that an app breaks, except those about keys. */
export const appFaults = (app: AppSettings): Fault[] => [
  ...nameFaults('/name', app.name),
  ...redirectUriFaults(app),
  ...openidFaults(app),
  ...deviceFaults(app),
  ...dpopFaults(app),
  ...permissionFaults(app.interface, app.permissions),
  ...descriptionFaults('/description', app.description),
  ...linkFaults('/logo_uri', app.logoUri),
  ...linkFaults('/homepage_uri', app.homepageUri),
  ...jwksPlaceFaults(app),
  ...retryWindowFaults(app),
]
