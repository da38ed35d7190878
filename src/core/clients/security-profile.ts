// FAPI 2.0 Security Profile (Final) as a setting of an app: what its requests and its other settings must be.
import { type Fault, faultAt } from '../language/faults.ts'
import type { Interface } from '../language/permissions.ts'
import type { ClientType } from './client-type.ts'
import type { SigningAlgorithm } from './signing-algorithm.ts'

export const securityProfiles = ['none', 'fapi2'] as const
export type SecurityProfile = (typeof securityProfiles)[number]

/** FAPI 2.0 §5.4.1: PS256, ES256 or EdDSA with Ed25519, which RFC 9864 names Ed25519. */
const fapiAlgorithms: readonly string[] = ['PS256', 'ES256', 'EdDSA', 'Ed25519']

/** Seconds. FAPI 2.0 §5.3.2.1: a client that did not get the response must be able to send the request again. */
const defaultRetryWindow = 60

interface Profiled {
  securityProfile: SecurityProfile
}

export const isFapi = ({ securityProfile }: Profiled) => securityProfile === 'fapi2'

/** RFC 9126 §6, FAPI 2.0 §5.3.2.2. */
export const demandsPushedRequests = (
  app: Profiled & { requirePushedAuthorizationRequests: boolean },
): boolean => app.requirePushedAuthorizationRequests || isFapi(app)

/** RFC 9449 §5.2, FAPI 2.0 §5.3.2.1. */
export const demandsProof = (app: Profiled & { dpopBoundAccessTokens: boolean }): boolean =>
  app.dpopBoundAccessTokens || isFapi(app)

/** May the app sign assertions and proofs with this algorithm? */
export const acceptsAlgorithm = (app: Profiled, algorithm: string): boolean =>
  !isFapi(app) || fapiAlgorithms.includes(algorithm)

/** The settings with the defaults of the profile. @param chosen the settings that the operator has sent */
export const withProfileDefaults = <Settings extends Profiled & { retryWindowSeconds: number }>(
  settings: Settings,
  chosen: { retryWindowSeconds?: number | undefined },
): Settings =>
  isFapi(settings) && settings.retryWindowSeconds === 0 && chosen.retryWindowSeconds === undefined
    ? { ...settings, retryWindowSeconds: defaultRetryWindow }
    : settings

interface FapiSettings extends Profiled {
  interface: Interface
  clientType: ClientType
  redirectUris: readonly string[]
  jwks: object | null
  jwksUri: string | null
  workloads: readonly object[]
  pkceRequired: boolean
  idTokenSignedResponseAlg: SigningAlgorithm
  deviceFlow: boolean
  retryWindowSeconds: number
}

/** The settings that FAPI 2.0 does not allow. */
export const profileFaults = (app: FapiSettings): Fault[] => {
  if (!isFapi(app)) return []
  const fault = (isWrong: boolean, pointer: string, detail: string): Fault[] =>
    isWrong ? [faultAt(pointer, 'fapi2', `${detail} with security_profile fapi2`)] : []
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
