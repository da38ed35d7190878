import {
  createLocalJWKSet,
  type JSONWebKeySet,
  type JWTVerifyOptions,
  errors as joseErrors,
  jwtVerify,
} from 'jose'
import type { SecretShown } from '../credentials/digest-renewal.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { singleUseKey } from '../crypto/single-use.ts'
import { invalidClient, invalidRequest } from '../language/errors.ts'
import type { Interface } from '../language/permissions.ts'
import type { RecordStore } from '../limits/records.ts'
import type { App, SecretDigest } from './app.ts'
import { assertionAlgorithms as algorithmsByKeyType } from './client-jwks.ts'
import { originOf } from './redirect-uri.ts'

/** How a client says who it is (RFC 6749 §2.3, RFC 7523 §2.2). */
export type ClientCredentials =
  | { method: 'client_secret_basic' | 'client_secret_post'; clientId: string; secret: string }
  | { method: 'private_key_jwt'; clientId: string; assertion: string }
  | { method: 'none'; clientId: string }

export const assertionAlgorithms: string[] = Object.values(algorithmsByKeyType).flat()
const clockTolerance = 30 // s
/** Some libraries make them for an hour and cannot be told otherwise, Authlib among them. */
const longestAssertionLife = 3600 // s

export interface ClientsDependencies {
  keyring: Keyring
  records: Pick<RecordStore, 'insert'>
  /** Milliseconds since 1970. */
  now: () => number
  /** What an assertion may name as its audience (RFC 7523 §3): issuer and endpoint URLs. */
  audiences: readonly string[]
  /** Called with the id of the secret that a client has authenticated with. */
  secretUsed(secretId: string): void
  secretShown: SecretShown
}

export interface Clients {
  /**
   * Is the client who it says it is? The answer to every kind of failure is the same.
   * @param loaded the app and its active secrets, null when there is no such client
   * @throws OAuthError invalid_client
   */
  authenticate(
    loaded: { app: App; secrets: readonly SecretDigest[] } | null,
    credentials: ClientCredentials,
    generation: Interface,
  ): Promise<App>
}

/** A client that is changing its key has two of a kind: without a `kid`, each is tried. */
const verify = async (assertion: string, jwks: JSONWebKeySet, options: JWTVerifyOptions) => {
  try {
    return await jwtVerify(assertion, createLocalJWKSet(jwks), options)
  } catch (several) {
    if (!(several instanceof joseErrors.JWKSMultipleMatchingKeys)) throw several
    let failure: unknown = several
    for await (const key of several) {
      try {
        return await jwtVerify(assertion, key, options)
      } catch (cause) {
        failure = cause
      }
    }
    throw failure
  }
}

export const createClients = (deps: ClientsDependencies): Clients => {
  const { keyring, records, audiences } = deps
  const absentDigest = keyring.digest('')

  const secretUsed = (secrets: readonly SecretDigest[], secret: string) => {
    // As much work for a client without secrets as for one with: timing tells nothing.
    if (secrets.length === 0) keyring.digestMatches(secret, absentDigest)
    return secrets.filter((one) => keyring.digestMatches(secret, one.digest))[0] ?? null
  }

  const checkAssertion = async (app: App, assertion: string) => {
    if (!app.jwks) throw invalidClient('no_keys_registered')
    const { payload } = await verify(assertion, app.jwks as JSONWebKeySet, {
      algorithms: assertionAlgorithms,
      issuer: app.clientId,
      subject: app.clientId,
      audience: [...audiences],
      clockTolerance,
      currentDate: new Date(deps.now()),
      requiredClaims: ['exp', 'jti'],
    }).catch((cause) => {
      throw cause instanceof joseErrors.JOSEError
        ? invalidClient('assertion_invalid', cause)
        : cause
    })
    const now = deps.now() / 1000
    // RFC 7519 §4.1.7: a string; anything else might be another's, written differently.
    if (typeof payload.jti !== 'string' || payload.jti === '') throw invalidClient('jti_malformed')
    if ((payload.iat ?? 0) > now + clockTolerance) throw invalidClient('assertion_of_the_future')
    const life = (payload.exp as number) - now
    if (life > longestAssertionLife + clockTolerance)
      throw invalidClient('assertion_lives_too_long')
    // RFC 7523 §3 (7): each assertion once.
    const fresh = await records.insert(
      'assertion',
      singleUseKey(app.clientId, payload.jti),
      { state: 'used', value: '' },
      life + 2 * clockTolerance,
    )
    if (!fresh) throw invalidClient('assertion_replayed')
  }

  return {
    authenticate: async (loaded, credentials, generation) => {
      const sent = credentials.method.startsWith('client_secret') && 'secret' in credentials
      const used = sent ? secretUsed(loaded?.secrets ?? [], credentials.secret) : null
      if (!loaded) throw invalidClient('unknown_client')
      const { app } = loaded
      if (app.interface !== generation) throw invalidClient('other_interface')
      if (app.disabled) throw invalidClient('disabled')
      if (app.clientType === 'public') {
        if (credentials.method !== 'none') throw invalidClient('secret_from_public_client')
        return app
      }
      switch (credentials.method) {
        case 'none':
          throw invalidClient('secret_missing')
        case 'private_key_jwt':
          if (generation !== 'current') throw invalidClient('assertion_on_legacy')
          await checkAssertion(app, credentials.assertion)
          return app
        default:
          if (!used) throw invalidClient('secret_wrong')
          deps.secretUsed(used.id)
          deps.secretShown('app_secrets', used.id, credentials.secret, used.digest)
          return app
      }
    },
  }
}

/**
 * A public client's page may call the token endpoint only from the origin of one of its redirect URIs
 * (specification §5.2 B); a confidential client has no business in a browser and gets no CORS header.
 * @returns the origin to allow, or null
 * @throws OAuthError invalid_request for a foreign or opaque origin
 */
export const allowedOrigin = (app: App, origin: string | undefined): string | null => {
  if (origin === undefined || app.clientType === 'confidential') return null
  if (app.redirectUris.some((uri) => originOf(uri) === origin)) return origin
  throw invalidRequest('the origin of the page is not registered for this client', 'foreign_origin')
}
