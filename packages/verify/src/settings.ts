import type { VerificationUnavailable, WrongUse } from './errors.ts'

/** `console`, or a logger such as pino's. */
export interface Log {
  warn(message: string): unknown
}

/**
 * `local` verifies signatures of issued tokens in this process. `introspect` asks the server about every token, and
 * reuses its answers for the seconds of `introspectionCache`, unless the revocation feed reports a change.
 */
export type Mode = 'local' | 'introspect'

/** Options of `createVerifier`. */
export interface VerifierOptions {
  /** `iss` of the tokens and the address of the authorization server. */
  issuer: string
  /** `aud` of the tokens: the server's `TOKEN_AUDIENCE`. */
  audience: string
  /** Credentials from the operator: `latchkey resource-server create`. */
  resourceServer: { clientId: string; clientSecret: string }
  /** Base address for requests of this library, when the issuer's address is not reachable from here. */
  server?: string
  /** How issued tokens are verified; default `local`. */
  mode?: Mode
  /** Tolerated clock difference in seconds, 0 to 60; default 30. */
  clockTolerance?: number
  /** Seconds without news of revocations after which tokens are refused, at least 2; default: never. */
  maxRevocationAge?: number
  /** Seconds for which an introspection answer is reused: default 5 for active and 1 for inactive, at most 60. */
  introspectionCache?: { active?: number; inactive?: number }
  /** Seconds within which the server must answer, also for a verification that waits for the first state; default 2. */
  timeout?: number
  /** Minimum seconds between two reads of the signing keys for an unknown key; default 5. */
  keysInterval?: number
  /** Cached tokens of each kind; default 10,000. */
  cacheSize?: number
  /** Maximum length of a token in characters; default 16,384. */
  maxTokenLength?: number
  /** Settings for key-bound tokens (RFC 9449). */
  dpop?: {
    /**
     * Called for each proof with the seconds for which it could be replayed; returns true for a new one. By default
     * each process remembers its own proofs. Several processes need a shared memory.
     */
    remember?: (id: string, seconds: number) => boolean | Promise<boolean>
    /** Proofs that a process remembers. Beyond that, it refuses further proofs for the moment. Default 500,000. */
    mostProofs?: number
  }
  /** Reports to the server how often which app was granted which permission, in which organization; default true. */
  usage?: boolean
  /** Used for all requests, for example with a proxy; default: Node's HTTP client. */
  fetch?: typeof globalThis.fetch
  /** Gets one line for each new problem that `status()` lists; default: `console`. `false` for none. */
  log?: Log | false
  /** Called for each failed request to the server and each wrong use of this library, for metrics. */
  onProblem?: (problem: VerificationUnavailable | WrongUse) => void
  /** Milliseconds since 1970; default: the system clock. */
  now?: () => number
}

/** The options, complete and checked. */
export interface Settings {
  issuer: string
  audience: string
  resourceServer: { clientId: string; clientSecret: string }
  server: string
  mode: Mode
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
  usage: boolean
  fetch: typeof globalThis.fetch | undefined
  log: Log | null
  onProblem: (problem: VerificationUnavailable | WrongUse) => void
  now: () => number
  /** Milliseconds of a monotonic clock, for durations. */
  ticks: () => number
}

const modes: readonly Mode[] = ['local', 'introspect']

type Limits = [name: string, value: number, least: number, most: number]

export const isAddress = (text: string) =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

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
    ...(modes.includes(settings.mode) ? [] : ['mode']),
    ...(typeof settings.usage === 'boolean' ? [] : ['usage']),
    ...(settings.log === null || typeof settings.log.warn === 'function' ? [] : ['log']),
    ...limits.flatMap(([name, value, least, most]) =>
      value >= least && value <= most ? [] : [name],
    ),
  ]
}

/**
 * Adds the defaults and checks the options.
 * @throws TypeError that names every faulty option
 */
export const readSettings = (options: VerifierOptions): Settings => {
  const { clientId = '', clientSecret = '' } = options.resourceServer ?? {}
  const settings: Settings = {
    issuer: options.issuer,
    audience: options.audience,
    resourceServer: { clientId, clientSecret },
    server: String(options.server ?? options.issuer).replace(/\/+$/, ''),
    mode: options.mode ?? 'local',
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
    usage: options.usage ?? true,
    fetch: options.fetch,
    log: options.log === undefined ? globalThis.console : options.log || null,
    onProblem: options.onProblem ?? (() => undefined),
    now: options.now ?? Date.now,
    ticks: options.now ?? (() => performance.now()),
  }
  const faults = faultsIn(settings)
  if (faults.length > 0) throw new TypeError(`createVerifier: ${faults.join(', ')}`)
  return settings
}
