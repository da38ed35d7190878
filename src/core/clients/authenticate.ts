import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import type { SecretShown } from '../credentials/digest-renewal.ts'
import { singleUseKey } from '../crypto/digests.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { invalidClient, invalidRequest } from '../language/errors.ts'
import type { Interface } from '../language/permissions.ts'
import type { RecordStore } from '../limits/records.ts'
import { assertionAlgorithms, isBounded } from '../outbound/public-keys.ts'
import type { RemoteKeys } from '../outbound/remote-keys.ts'
import { verifyWithKeys } from '../outbound/verify-with-keys.ts'
import type { Waiter } from '../outbound/waits.ts'
import type { App, SecretDigest } from './app.ts'
import {
  acceptOnce,
  asInvalidClient,
  clockTolerance,
  demandAssertionType,
  longestLife,
} from './assertion-rules.ts'
import type { ForeignSecrets, SecretAttempt } from './foreign-secrets.ts'
import { originOf } from './redirect-uri.ts'
import { acceptsAlgorithm, isFapi } from './security-profile.ts'
import { createCheckWorkload, type ProvenWorkload, unverifiedClaims } from './workload-assertion.ts'

/** The client's authentication (RFC 6749 §2.3, RFC 7523 §2.2). */
export type ClientCredentials =
  | { method: 'client_secret_basic' | 'client_secret_post'; clientId: string; secret: string }
  /** The assertion is the client's own, or the token of a workload that it trusts: its issuer decides. */
  | { method: 'private_key_jwt'; clientId: string; assertion: string }
  | { method: 'none'; clientId: string }

/** The app and its active secrets. */
export interface StoredClient {
  app: App
  secrets: readonly SecretDigest[]
}

/** The part of every client request that authentication needs. */
export interface ClientRequest {
  /** null: the endpoint serves apps of both interfaces */
  interface: Interface | null
  credentials: ClientCredentials
  /** The `Origin` header, if a page sent the request. */
  origin: string | undefined
  /** Called once the client is authenticated, even if the request is refused later: errors need CORS too. */
  allowOrigin(origin: string): void
  /** Called when the client is authenticated by the token of a workload. */
  provenBy(workload: ProvenWorkload): void
  /** Called before each wait: for the keys of the client or of a workload, or for the work of a secret. */
  onWait(): void
  address: string
  /** Counts an attempt whose secret takes work. @throws OAuthError slow_down */
  beginAttempt: SecretAttempt['begin']
}

/**
 * A public client's page may send requests only from the origin of one of its redirect URIs (specification §5.2 B). A
 * confidential client must not run in a browser and gets no CORS header.
 * @throws OAuthError invalid_request for a foreign or opaque origin
 */
const checkPageOrigin = (app: App, { origin, allowOrigin }: ClientRequest) => {
  if (origin === undefined || app.clientType === 'confidential') return
  if (!app.redirectUris.some((uri) => originOf(uri) === origin))
    throw invalidRequest(
      'the origin of the page is not registered for this client',
      'foreign_origin',
    )
  allowOrigin(origin)
}

export const createClients = (deps: {
  keyring: Keyring
  records: Pick<RecordStore, 'insert'>
  remoteKeys: RemoteKeys
  /** Milliseconds since 1970. */
  now: () => number
  /** Accepted audiences of an assertion (RFC 7523 §3): the issuer first, then endpoint URLs. */
  audiences: readonly [issuer: string, ...endpoints: string[]]
  /** Called with the id of the secret that authenticated a client. */
  secretUsed(secretId: string): void
  secretShown: SecretShown
  foreignSecrets: ForeignSecrets
}) => {
  const { keyring, records, remoteKeys, audiences } = deps
  const checkWorkload = createCheckWorkload({ ...deps, issuer: audiences[0] })
  const absentDigest = keyring.digest('')

  const secretUsed = (secrets: readonly SecretDigest[], secret: string) => {
    // A client without secrets takes as much time as one with secrets, so the response time reveals nothing.
    if (secrets.length === 0) keyring.digestMatches(secret, absentDigest)
    return secrets.filter((one) => keyring.digestMatches(secret, one.digest))[0] ?? null
  }

  const keysOf = async ({ jwks, jwksUri }: App, waiter: Waiter): Promise<JWTVerifyGetKey> => {
    if (jwksUri !== null) return remoteKeys.keysOf({ jwksUri }, waiter)
    if (jwks === null) throw invalidClient('no_keys_registered')
    return createLocalJWKSet({ keys: (jwks as JSONWebKeySet).keys.filter(isBounded) })
  }

  const verified = async (app: App, assertion: string, waiter: Waiter) => {
    try {
      return await verifyWithKeys(assertion, await keysOf(app, waiter), {
        algorithms: assertionAlgorithms.filter((one) => acceptsAlgorithm(app, one)),
        issuer: app.clientId,
        subject: app.clientId,
        audience: isFapi(app) ? audiences[0] : [...audiences],
        clockTolerance,
        currentDate: new Date(deps.now()),
        requiredClaims: ['exp', 'jti'],
      })
    } catch (cause) {
      throw asInvalidClient(cause)
    }
  }

  const checkAssertion = async (
    app: App,
    assertion: string,
    { provenBy, onWait }: Pick<ClientRequest, 'provenBy' | 'onWait'>,
  ) => {
    const waiter = { owner: app.clientId, onWait }
    const { iss, sub } = unverifiedClaims(assertion)
    if (app.workloads.length > 0 && iss !== app.clientId) {
      provenBy(await checkWorkload(app.workloads, assertion, waiter))
      return
    }
    if (sub !== app.clientId) throw invalidClient('assertion_subject')
    demandAssertionType(assertion)
    const { payload } = await verified(app, assertion, waiter)
    // FAPI 2.0 §5.3.2.1: the issuer as a string, so that no other server can use the assertion.
    if (isFapi(app) && typeof payload.aud !== 'string') throw invalidClient('assertion_invalid')
    const now = deps.now() / 1000
    // RFC 7519 §4.1.7: a string. Other types could be different spellings of the same value.
    if (typeof payload.jti !== 'string' || payload.jti === '') throw invalidClient('jti_malformed')
    if ((payload.iat ?? 0) > now + clockTolerance) throw invalidClient('assertion_of_the_future')
    const life = (payload.exp as number) - now
    if (life > longestLife + clockTolerance) throw invalidClient('assertion_lives_too_long')
    await acceptOnce(records, singleUseKey(app.clientId, payload.jti), life)
  }

  /** @throws OAuthError invalid_client, slow_down, temporarily_unavailable */
  const checkCredentials = async (
    app: App,
    request: ClientRequest,
    used: SecretDigest | null,
    secrets: readonly SecretDigest[],
  ): Promise<void> => {
    const { credentials } = request
    if (request.interface !== null && app.interface !== request.interface)
      throw invalidClient('other_interface')
    if (app.disabled) throw invalidClient('disabled')
    if (app.clientType === 'public') {
      if (credentials.method !== 'none') throw invalidClient('secret_from_public_client')
      return
    }
    if (isFapi(app) && credentials.method !== 'private_key_jwt')
      throw invalidClient('assertion_required')
    switch (credentials.method) {
      case 'none':
        throw invalidClient('secret_missing')
      case 'private_key_jwt':
        if (app.interface !== 'current') throw invalidClient('assertion_on_legacy')
        await checkAssertion(app, credentials.assertion, request)
        return
      default:
        if (used === null) {
          const { address, onWait, beginAttempt: begin } = request
          const by = { clientId: app.clientId, address, onWait, begin }
          const found = await deps.foreignSecrets.find(secrets, credentials.secret, by)
          if (!found) throw invalidClient('secret_wrong')
          return deps.secretUsed(found.id)
        }
        deps.secretUsed(used.id)
        deps.secretShown('app_secrets', used.id, credentials.secret, used.digest)
    }
  }

  return {
    /**
     * Checks the credentials, then the origin of the page. Every failed authentication gets the same response.
     * @param loaded null when the client does not exist
     * @returns the loaded client
     * @throws OAuthError invalid_client, invalid_request for a foreign or opaque origin; OutboundBusy
     */
    authenticate: async <Loaded extends StoredClient>(
      loaded: Loaded | null,
      request: ClientRequest,
    ): Promise<Loaded> => {
      const { credentials } = request
      // The first check: an unknown client must take as much time as a known one.
      const used =
        'secret' in credentials ? secretUsed(loaded?.secrets ?? [], credentials.secret) : null
      if (!loaded) throw invalidClient('unknown_client')
      await checkCredentials(loaded.app, request, used, loaded.secrets)
      checkPageOrigin(loaded.app, request)
      return loaded
    },
  }
}

export type Clients = ReturnType<typeof createClients>
