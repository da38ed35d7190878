import { VerificationUnavailable } from './errors.ts'
import type { Pace } from './pace.ts'
import type { AuthorizationServer, Report } from './server.ts'
import type { Settings } from './settings.ts'
import { readKey, type VerifyingKey } from './signature.ts'

/** The server's public keys as last read. */
export interface Keys {
  /** The key with this id, when known. */
  get(kid: string): VerifyingKey | undefined
  /**
   * Reads the keys again for an unknown id, as often as `keysInterval` allows.
   * @returns null when the server has no such key
   * @throws VerificationUnavailable when the server cannot be reached
   */
  find(kid: string): Promise<VerifyingKey | null>
  /** Resolves after the first successful read. */
  ready: Promise<void>
  /** Time of the last successful read, in milliseconds since 1970; null before the first. */
  readAt(): number | null
  /** Reads the keys at intervals until the pace is stopped. */
  run(): Promise<void>
}

const mostKeys = 100
/** Milliseconds. The server publishes keys ahead of their use. */
const refreshEvery = 300_000

/** @returns the usable keys by id; for a repeated id, the first key */
const readKeys = async (server: AuthorizationServer): Promise<Map<string, VerifyingKey>> => {
  const { keys } = await server.keys()
  const listed = Array.isArray(keys) ? keys.slice(0, mostKeys) : []
  const read = await Promise.all(listed.map((one) => readKey(one)))
  const usable = read.filter((one) => one !== null)
  // An empty set would invalidate every token. Treat it as a fault and keep the known keys.
  if (usable.length === 0)
    throw new VerificationUnavailable('bad_answer', new TypeError('no usable key in the key set'))
  return new Map(usable.reverse().map((key) => [key.kid, key]))
}

/** @param deps.onRemoved called when a known key is no longer published */
export const createKeys = (deps: {
  server: AuthorizationServer
  settings: Pick<Settings, 'keysInterval' | 'ticks' | 'now'>
  pace: Pace
  report: Report
  onRemoved: () => void
}): Keys => {
  const { server, pace, report, onRemoved } = deps
  const { keysInterval, ticks, now } = deps.settings
  const { promise: ready, resolve: isReady } = withResolvers()
  let known = new Map<string, VerifyingKey>()
  let reading: Promise<void> | null = null
  let lastTry = Number.NEGATIVE_INFINITY
  let problem: VerificationUnavailable | null = null
  let readAt: number | null = null

  const take = (keys: Map<string, VerifyingKey>) => {
    const isStill = (key: VerifyingKey) => keys.get(key.kid)?.material === key.material
    const kept = [...known.values()].filter(isStill)
    const hasLost = kept.length < known.size
    // A key that is still published stays the same object.
    known = new Map([...keys, ...kept.map((key) => [key.kid, key] as const)])
    problem = null
    readAt = now()
    report(null)
    if (hasLost) onRemoved()
    isReady()
  }

  const read = async () => {
    lastTry = ticks()
    try {
      take(await readKeys(server))
    } catch (error) {
      problem = error as VerificationUnavailable
      report(problem)
    }
  }

  /** Concurrent callers share one read. */
  const readOnce = () => {
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }

  return {
    get: (kid) => known.get(kid),
    find: async (kid) => {
      if (reading || ticks() - lastTry >= keysInterval * 1000) await readOnce()
      const key = known.get(kid)
      if (!key && problem) throw problem
      return key ?? null
    },
    ready,
    readAt: () => readAt,
    run: async () => {
      for (let failures = 0; !pace.isStopped(); ) {
        await readOnce()
        failures = problem ? failures + 1 : 0
        await pace.pause(
          problem ? pace.backoff(failures) : refreshEvery * (0.9 + Math.random() / 5),
        )
      }
    },
  }
}

const withResolvers = () => {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
