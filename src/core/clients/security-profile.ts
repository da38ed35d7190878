// FAPI 2.0 Security Profile (Final) as a setting of an app: what its requests must be.
export const securityProfiles = ['none', 'fapi2'] as const
export type SecurityProfile = (typeof securityProfiles)[number]

/** FAPI 2.0 §5.4.1: PS256, ES256 or EdDSA with Ed25519, which RFC 9864 names Ed25519. */
const fapiAlgorithms: readonly string[] = ['PS256', 'ES256', 'EdDSA', 'Ed25519']

/** Seconds. FAPI 2.0 §5.3.2.1: a client that did not get the response must be able to send the request again. */
const defaultRetryWindow = 60

type Profiled = { securityProfile: SecurityProfile }

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
