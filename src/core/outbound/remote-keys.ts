// The keys of other issuers and of clients that publish them, for the signatures of their tokens.
import {
  createLocalJWKSet,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  errors as joseErrors,
} from 'jose'
import { limitedBy } from './connect.ts'
import { type Discovered, DocumentMalformed, discover, objectOf } from './discovery.ts'
import { type FetchDocument, longestQueue } from './fetch-document.ts'
import { freshSeconds } from './freshness.ts'
import { usableKeys } from './public-keys.ts'
import { OutboundBusy, type Wait, type Waiter } from './waits.ts'

/** The URL of a key set, or the URL of an issuer whose metadata names its key set. */
export type KeySource = { jwksUri: string } | { issuer: string }

/** The keys of a source could not be fetched. Its `cause` is a FetchFailed or says what is wrong with the document. */
export class KeysUnavailable extends Error {
  constructor(cause: unknown) {
    super('the keys are not available', { cause })
  }
}

const mostSources = 500
const mostBytes = 128 * 1024
const seconds = 5
/**
 * Milliseconds of all requests for the keys of one source: five seconds of its own, beside the time in which each of the
 * three (metadata at two places, keys) may wait for a slot.
 */
const longestRefresh = seconds * 1000 + 3 * longestQueue
/** Seconds for which keys are used without asking again. */
const freshness = { least: 10, most: 45 }
/** Milliseconds for which keys are used while they are fetched again. A key that its owner removes is refused after that. */
const longestUse = 60_000
/** Milliseconds for which keys are used although their source does not answer. */
const longestOutage = 3_600_000
/** Milliseconds between two fetches of one source. The pause doubles with each failure, up to the longest. */
const shortestPause = 10_000
const longestPause = 60_000

interface Known {
  find: ReturnType<typeof createLocalJWKSet>
  fetchedAt: number
  freshUntil: number
}

interface Entry {
  source: KeySource
  /** The app or organization that was the first to name it. */
  owner: string
  known: Known | null
  discovered: Discovered | null
  /** When the last fetch ended. */
  triedAt: number
  failures: number
  failure: unknown
  fetching: Promise<void> | null
}

const entryOf = (source: KeySource, owner: string): Entry => ({
  source,
  owner,
  known: null,
  discovered: null,
  triedAt: Number.NEGATIVE_INFINITY,
  failures: 0,
  failure: null,
  fetching: null,
})

const keyOf = (source: KeySource) => JSON.stringify(source)

const pauseAfter = (failures: number) =>
  Math.min(longestPause, shortestPause * 2 ** Math.max(0, failures - 1))

export const createRemoteKeys = (deps: {
  fetchDocument: FetchDocument
  wait: Wait
  /** Milliseconds since 1970. */
  now: () => number
}) => {
  const { fetchDocument, wait, now } = deps
  /** In the order of their last use. */
  const entries = new Map<string, Entry>()

  const jwksUriOf = async (entry: Entry, signal: AbortSignal): Promise<string> => {
    const { source, owner } = entry
    if ('jwksUri' in source) return source.jwksUri
    if (entry.discovered === null || entry.discovered.freshUntil <= now())
      entry.discovered = await discover(source.issuer, fetchDocument, { owner, signal }, now)
    return entry.discovered.jwksUri
  }

  const fetchKeys = async (entry: Entry, signal: AbortSignal): Promise<Known> => {
    const url = await jwksUriOf(entry, signal)
    const { owner } = entry
    const bounds = { mostBytes, seconds, accept: 'application/json', owner, signal }
    const document = await fetchDocument(url, bounds)
    const keys = await usableKeys(objectOf(document).keys)
    if (keys === null) throw new DocumentMalformed('the document has no keys, or too many')
    return {
      find: createLocalJWKSet({ keys } as JSONWebKeySet),
      fetchedAt: now(),
      freshUntil: now() + freshSeconds(document, now(), freshness) * 1000,
    }
  }

  /** @throws OutboundBusy: then the source has not failed, and may be asked again at once */
  const fetchNow = async (entry: Entry) => {
    const { signal, release } = limitedBy(longestRefresh)
    try {
      entry.known = await fetchKeys(entry, signal)
      entry.failures = 0
    } catch (error) {
      if (error instanceof OutboundBusy) throw error
      entry.failures += 1
      entry.failure = error
      entry.discovered = null
    } finally {
      release()
      entry.fetching = null
    }
    entry.triedAt = now()
  }

  /** False after a fetch that was a moment ago. */
  const mayFetch = (entry: Entry) =>
    entry.fetching !== null || now() - entry.triedAt >= pauseAfter(entry.failures)

  /** All that wait share one fetch. */
  const fetchOf = (entry: Entry): Promise<void> => {
    entry.fetching ??= fetchNow(entry)
    return entry.fetching
  }

  const refresh = async (entry: Entry, waiter: Waiter): Promise<void> => {
    if (mayFetch(entry)) await wait(keyOf(entry.source), waiter, () => fetchOf(entry))
  }

  const refreshAside = (entry: Entry) => {
    if (mayFetch(entry)) fetchOf(entry).catch(() => undefined)
  }

  /** @throws KeysUnavailable */
  const usable = (entry: Entry): Known => {
    const { known } = entry
    if (known === null || now() - known.fetchedAt > longestOutage)
      throw new KeysUnavailable(entry.failure)
    return known
  }

  /** @throws KeysUnavailable, OutboundBusy */
  const present = async (entry: Entry, waiter: Waiter): Promise<Known> => {
    const { known, failures } = entry
    if (known !== null && now() < known.freshUntil) return known
    if (known !== null && now() < known.fetchedAt + longestUse) {
      refreshAside(entry)
      return known
    }
    await refresh(entry, waiter).catch((error: unknown) => {
      // A source that does not answer: its last keys are used although this request does not ask it again.
      if (!(error instanceof OutboundBusy && known !== null && failures > 0)) throw error
    })
    return usable(entry)
  }

  /** The owner with the most sources loses the one that it has not used for longest. */
  const forgetOne = () => {
    const counts = new Map<string, number>()
    for (const { owner } of entries.values()) counts.set(owner, (counts.get(owner) ?? 0) + 1)
    const most = Math.max(...counts.values())
    const found = [...entries].find(([, { owner }]) => counts.get(owner) === most)
    if (found) entries.delete(found[0])
  }

  const recall = (source: KeySource, owner: string): Entry => {
    const key = keyOf(source)
    const entry = entries.get(key) ?? entryOf(source, owner)
    entries.delete(key)
    entries.set(key, entry)
    if (entries.size > mostSources) forgetOne()
    return entry
  }

  return {
    /**
     * Finds the key for a token, as `jose` asks for it. An unknown `kid` has the keys fetched again. The request waits
     * only while the keys are fetched that it needs. The key set may wait, too.
     * @throws KeysUnavailable when the source gives no keys, and none of the last hour are known; OutboundBusy
     */
    keysOf: async (source: KeySource, waiter: Waiter): Promise<JWTVerifyGetKey> => {
      const entry = recall(source, waiter.owner)
      const known = await present(entry, waiter)
      return async (header, token) => {
        try {
          return await known.find(header, token)
        } catch (error) {
          if (!(error instanceof joseErrors.JWKSNoMatchingKey)) throw error
          await refresh(entry, waiter)
          return await usable(entry).find(header, token)
        }
      }
    },
  }
}

export type RemoteKeys = ReturnType<typeof createRemoteKeys>
