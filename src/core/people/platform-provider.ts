import * as client from 'openid-client'
import { createBoundedFetch } from '../outbound/bounded-fetch.ts'
import { createWait, OutboundBusy } from '../outbound/waits.ts'
import { type Claims, isSubject, type ProviderUser, readEmail, textOf } from './provider-claims.ts'
import { ProviderError } from './provider-error.ts'

/** The operator's settings for the platform's own OpenID provider. */
export interface ProviderSettings {
  issuer: string
  clientId: string
  clientSecret: string
  scope: string
  /** The claims that hold e-mail address and name. */
  claims: { email: string; name: string }
}

/** Values stored until the browser comes back; each is valid for one response. */
export interface ProviderChecks {
  state: string
  nonce: string
  verifier: string
  /** Seconds since 1970: the user must have signed in at the provider after this time; null: at any time. */
  signedInSince: number | null
}

const timeout = 5 // s
/** Milliseconds of all requests to the provider for one request of a browser. */
const longestWait = 10_000
/** Requests of browsers that wait for the provider. Further ones are refused at once. */
const mostWaiting = 64
const metadataLifetime = 3600_000 // ms
const clockSkew = 5 // s

/** Error codes come from the provider, so only short ones of a known alphabet are kept. */
const codeOf = (text: unknown) =>
  typeof text === 'string' && /^[A-Za-z0-9_]{1,60}$/.test(text) ? text : 'unknown'

const failureOf = (error: unknown): ProviderError => {
  if (error instanceof ProviderError) return error
  if (error instanceof OutboundBusy) return new ProviderError('unreachable', 'busy')
  if (error instanceof client.AuthorizationResponseError) {
    const away = ['temporarily_unavailable', 'server_error'].includes(error.error)
    const fault = error.error === 'access_denied' ? 'denied' : away ? 'unreachable' : 'refused'
    return new ProviderError(fault, codeOf(error.error))
  }
  if (error instanceof client.ResponseBodyError)
    return new ProviderError(error.status >= 500 ? 'unreachable' : 'refused', codeOf(error.error))
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  if (code === 'OAUTH_TIMEOUT') return new ProviderError('unreachable', codeOf(code))
  if (cause instanceof Response && cause.status >= 500)
    return new ProviderError('unreachable', `status_${cause.status}`)
  // An unreachable host makes fetch throw an error without a code of its own.
  const isNetwork = [error, cause].some(
    (one) => one instanceof TypeError && one.message === 'fetch failed',
  )
  return new ProviderError(isNetwork ? 'unreachable' : 'refused', codeOf(code))
}

const guarded = <Result>(work: Promise<Result>): Promise<Result> =>
  work.catch((error) => {
    throw failureOf(error)
  })

/** RFC 8414 §2: a provider that lists no methods supports client_secret_basic. */
const authenticate = (secret: string): client.ClientAuth => {
  const [post, basic] = [client.ClientSecretPost(secret), client.ClientSecretBasic(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? []
    return (methods.includes('client_secret_post') ? post : basic)(server, ...rest)
  }
}

/** Discovers the provider on first use and again after an hour. Concurrent callers share one request. */
const createDiscovery = (settings: ProviderSettings, now: () => number) => {
  let known: { configuration: client.Configuration; at: number } | null = null
  let running: Promise<client.Configuration> | null = null
  const issuer = new URL(settings.issuer)

  const discover = async () => {
    try {
      const configuration = await client.discovery(
        issuer,
        settings.clientId,
        // The library uses this machine's clock; Latchkey uses the clock of the stores.
        { [client.clockSkew]: Math.round((now() - Date.now()) / 1000) },
        authenticate(settings.clientSecret),
        {
          timeout,
          [client.customFetch]: createBoundedFetch(timeout),
          execute: [
            // The ID token comes directly from the provider; its signature is verified all the same.
            client.enableNonRepudiationChecks,
            ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
          ],
        },
      )
      known = { configuration, at: now() }
      return configuration
    } catch (error) {
      if (known) return known.configuration
      throw failureOf(error)
    } finally {
      running = null
    }
  }

  const present = () => (known && now() - known.at < metadataLifetime ? known.configuration : null)

  return {
    /** null when it has to be read. */
    present,
    read: async (): Promise<client.Configuration> => {
      const configuration = present()
      if (configuration) return configuration
      running ??= discover()
      return running
    },
  }
}

/** Rejects when the provider does not answer in time. */
const inTime = <Result>(work: Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    const late = () => reject(new ProviderError('unreachable', 'timeout'))
    const timer = setTimeout(late, longestWait)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/**
 * Requests userinfo unless the ID token has both claims, and returns the one document from which all claims are read.
 * Claims of two documents are never combined: the address of one with the `email_verified` of the other would open
 * another user's account (OpenID Connect Core §5.3.2, §5.7).
 * @throws ProviderError, also when userinfo has another `sub` (§5.3.2)
 */
const claimsDocument = async (
  configuration: client.Configuration,
  accessToken: string,
  idToken: client.IDToken,
  names: ProviderSettings['claims'],
): Promise<Claims> => {
  const isComplete = names.email in idToken && names.name in idToken
  if (isComplete || !configuration.serverMetadata().userinfo_endpoint) return idToken
  const userinfo = await guarded(client.fetchUserInfo(configuration, accessToken, idToken.sub))
  if (names.email in idToken && !(names.email in userinfo)) return idToken
  // Userinfo is not signed, so it cannot overrule a denial in the ID token.
  const isDenied = 'email_verified' in idToken && idToken.email_verified !== true
  return isDenied ? { ...userinfo, email_verified: false } : userinfo
}

/**
 * `onWait` is called before a wait for the provider: from then on, the request of the browser only waits.
 * @param places where the provider redirects the browser after sign-in and sign-out
 * @param now milliseconds since 1970
 */
export const createPlatformProvider = (
  settings: ProviderSettings,
  { redirectUri, signedOutUri }: { redirectUri: string; signedOutUri: string },
  now: () => number,
) => {
  const discovery = createDiscovery(settings, now)
  const wait = createWait({ all: mostWaiting, each: mostWaiting })
  const waiting = <Result>(onWait: () => void, work: () => Promise<Result>): Promise<Result> =>
    guarded(wait('provider', { owner: 'provider', onWait }, () => inTime(work())))
  const discovered = async (onWait: () => void) =>
    discovery.present() ?? (await waiting(onWait, discovery.read))

  const finish = async (answer: URLSearchParams, checks: ProviderChecks): Promise<ProviderUser> => {
    const configuration = await discovery.read()
    // The redirect URI comes from our own configuration, never from a Host header. The library compares `iss` (RFC
    // 9207).
    const tokens = await guarded(
      client.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${answer}`), {
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.verifier,
      }),
    )
    const idToken = tokens.claims()
    if (!idToken || !isSubject(idToken.sub)) throw new ProviderError('refused', 'no_subject')
    // OpenID Connect Core §3.1.2.1: a request with max_age makes auth_time required. It is compared with the time
    // of the request, not with now: a user who stays on a page of the provider for long has still signed in for
    // this request.
    const signedIn = idToken.auth_time ?? null
    const { signedInSince: since } = checks
    if (since !== null && (signedIn === null || signedIn < since - clockSkew))
      throw new ProviderError('not_fresh', signedIn === null ? 'auth_time_missing' : 'auth_time')
    const { access_token: accessToken } = tokens
    const claims = await claimsDocument(configuration, accessToken, idToken, settings.claims)
    return {
      issuer: idToken.iss,
      subject: idToken.sub,
      ...readEmail(claims, settings.claims.email),
      name: textOf(claims[settings.claims.name]),
      authenticatedAt: since !== null ? now() : signedIn === null ? null : signedIn * 1000,
    }
  }

  return {
    /** Makes the URL of the provider for the browser. @throws ProviderError unreachable */
    begin: async (
      { loginHint, prompt, proof }: { loginHint: string | null; prompt: boolean; proof: boolean },
      onWait: () => void,
    ) => {
      const configuration = await discovered(onWait)
      const checks: ProviderChecks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        signedInSince: proof ? Math.floor(now() / 1000) : null,
      }
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: settings.scope,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
        ...(loginHint && { login_hint: loginHint }),
        ...((prompt || proof) && { prompt: 'login' }),
        ...(proof && { max_age: '0' }),
      })
      return { url: url.href, checks }
    },

    /** Redeems the provider's response from the browser. @throws ProviderError */
    finish: (answer: URLSearchParams, checks: ProviderChecks, onWait: () => void) =>
      waiting(onWait, () => finish(answer, checks)),

    /**
     * The URL to sign out at the provider too (OpenID Connect RP-Initiated Logout 1.0 §2); null when the provider has
     * no such endpoint or does not answer.
     */
    signOutUrl: async (onWait: () => void) => {
      try {
        const configuration = await discovered(onWait)
        if (!configuration.serverMetadata().end_session_endpoint) return null
        // No ID token is stored for a hint. The provider asks the user, and identifies us by client_id.
        const parameters = { post_logout_redirect_uri: signedOutUri }
        return client.buildEndSessionUrl(configuration, parameters).href
      } catch {
        return null // our own sign-out has succeeded already
      }
    },
  }
}

export type PlatformProvider = ReturnType<typeof createPlatformProvider>
