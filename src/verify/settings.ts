import type { VerificationUnavailable } from './errors.ts'

/** What `createVerifier` is told. */
export interface VerifierOptions {
  /** `iss` of the tokens, and where the authorization server is. */
  issuer: string
  /** `aud` of the tokens: the server's `TOKEN_AUDIENCE`. */
  audience: string
  /** As registered by the operator: `latchkey resource-server create`. */
  resourceServer: { clientId: string; clientSecret: string }
  /** Base address for our own requests, when the issuer's is not the one to use from here. */
  server?: string
  /** Seconds by which clocks may differ, 0 to 60; 30 by default. */
  clockTolerance?: number
  /** Seconds after which tokens are refused if nothing was heard of revocations, from 2; never by default. */
  maxRevocationAge?: number
  /** Seconds for which an introspection answer is good: 5 for yes and 1 for no by default, at most 60. */
  introspectionCache?: { active?: number; inactive?: number }
  /** Seconds within which the server must answer, also for a verification that waits for the first news; 2 by default. */
  timeout?: number
  /** Seconds between two reads of the signing keys for a key that is not known; 5 by default. */
  keysInterval?: number
  /** Tokens that are remembered, of each sort; 10,000 by default. */
  cacheSize?: number
  /** Characters of the longest token that is looked at; 16,384 by default. */
  maxTokenLength?: number
  /** Proofs of senders that hold a key (RFC 9449). */
  dpop?: {
    /**
     * Told of each proof with the seconds for which it could come again: true for one that is new. By default each
     * process remembers what it has seen itself; several processes need something that they share.
     */
    remember?: (id: string, seconds: number) => boolean | Promise<boolean>
    /** Proofs that a process remembers by itself; beyond these it lets in no more for the moment. 500,000 by default. */
    mostProofs?: number
  }
  /** Used for all requests, for example to go through a proxy; Node's own HTTP client by default. */
  fetch?: typeof globalThis.fetch
  /** Told of each failed conversation with the server, for the log. */
  onProblem?: (problem: VerificationUnavailable) => void
  /** Milliseconds since 1970; the system's clock by default. */
  now?: () => number
}

/** The options, complete and checked. */
export interface Settings {
  issuer: string
  audience: string
  resourceServer: { clientId: string; clientSecret: string }
  server: string
  clockTolerance: number
  maxRevocationAge: number
  activeFor: number
  inactiveFor: number
  timeout: number
  keysInterval: number
  cacheSize: number
  maxTokenLength: number
  rememberProof: ((id: string, seconds: number) => boolean | Promise<boolean>) | null
  mostProofs: number
  fetch: typeof globalThis.fetch | undefined
  onProblem: (problem: VerificationUnavailable) => void
  now: () => number
  /** Milliseconds of a clock that nobody sets, for how long ago something was. */
  ticks: () => number
}

type Limits = [name: string, value: number, least: number, most: number]

const isAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

const faultsIn = (settings: Settings): string[] => {
  const { clientId, clientSecret } = settings.resourceServer
  const texts = { audience: settings.audience, clientId, clientSecret }
  const limits: Limits[] = [
    ['clockTolerance', settings.clockTolerance, 0, 60],
    ['maxRevocationAge', settings.maxRevocationAge, 2, Number.POSITIVE_INFINITY],
    ['introspectionCache.active', settings.activeFor, 0, 60],
    ['introspectionCache.inactive', settings.inactiveFor, 0, 60],
    ['timeout', settings.timeout, 0.01, 60],
    ['keysInterval', settings.keysInterval, 0.01, 3600],
    ['cacheSize', settings.cacheSize, 1, 10_000_000],
    ['maxTokenLength', settings.maxTokenLength, 1, 1_000_000],
    ['dpop.mostProofs', settings.mostProofs, 1, 10_000_000],
  ]
  return [
    ...['issuer', 'server'].filter((name) => !isAddress(settings[name as 'issuer' | 'server'])),
    ...Object.entries(texts).flatMap(([name, text]) => (text ? [] : [name])),
    ...limits.flatMap(([name, value, least, most]) =>
      value >= least && value <= most ? [] : [name],
    ),
  ]
}

/**
 * Fills in what was not said.
 * @throws TypeError that names every option at fault
 */
export const readSettings = (options: VerifierOptions): Settings => {
  const { clientId = '', clientSecret = '' } = options.resourceServer ?? {}
  const settings: Settings = {
    issuer: options.issuer,
    audience: options.audience,
    resourceServer: { clientId, clientSecret },
    server: String(options.server ?? options.issuer).replace(/\/+$/, ''),
    clockTolerance: options.clockTolerance ?? 30,
    maxRevocationAge: options.maxRevocationAge ?? Number.POSITIVE_INFINITY,
    activeFor: options.introspectionCache?.active ?? 5,
    inactiveFor: options.introspectionCache?.inactive ?? 1,
    timeout: options.timeout ?? 2,
    keysInterval: options.keysInterval ?? 5,
    cacheSize: options.cacheSize ?? 10_000,
    maxTokenLength: options.maxTokenLength ?? 16_384,
    rememberProof: options.dpop?.remember ?? null,
    mostProofs: options.dpop?.mostProofs ?? 500_000,
    fetch: options.fetch,
    onProblem: options.onProblem ?? (() => undefined),
    now: options.now ?? Date.now,
    ticks: options.now ?? (() => performance.now()),
  }
  const faults = faultsIn(settings)
  if (faults.length > 0) throw new TypeError(`createVerifier: ${faults.join(', ')}`)
  return settings
}
