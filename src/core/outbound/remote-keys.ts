// The keys of other issuers and of clients that publish them, for the signatures of their tokens.
import {
  createLocalJWKSet,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
  errors as joseErrors,
} from 'jose'
import { type Discovered, DocumentMalformed, discover, objectOf } from './discovery.ts'
import type { FetchDocument } from './fetch-document.ts'
import { freshSeconds } from './freshness.ts'
import { publicKeyFaults, publicPart } from './public-keys.ts'

/** The URL of a key set, or the URL of an issuer whose metadata names its key set. */
export type KeySource = { jwksUri: string } | { issuer: string }

/** Finds the key for a token, as `jose` asks for it. An unknown `kid` has the keys fetched again. */
export type RemoteKeySet = JWTVerifyGetKey

export interface RemoteKeys {
  /** @throws KeysUnavailable when the source gives no keys, and none of the last hour are known */
  keysOf(source: KeySource): Promise<RemoteKeySet>
}

/** The keys of a source could not be fetched. Its `cause` is a FetchFailed or says what is wrong with the document. */
export class KeysUnavailable extends Error {
  constructor(cause: unknown) {
    super('the keys are not available', { cause })
  }
}

export interface RemoteKeysDependencies {
  fetchDocument: FetchDocument
  /** Milliseconds since 1970. */
  now: () => number
}

const mostSources = 500
const mostKeys = 100
const mostBytes = 128 * 1024
const seconds = 5
/** Seconds for which keys are used without asking again. A key that its owner removes is refused within a minute. */
const freshness = { least: 10, most: 60 }
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
  known: Known | null
  discovered: Discovered | null
  /** When the last fetch ended. */
  triedAt: number
  failures: number
  failure: unknown
  fetching: Promise<void> | null
}

/** The keys that may verify signatures. Others, such as keys for encryption, are left out. */
const usableKeys = async (keys: readonly unknown[]): Promise<JWK[]> => {
  const objects = keys.filter((key): key is JWK => typeof key === 'object' && key !== null)
  const faults = await Promise.all(objects.map((key) => publicKeyFaults(key, '')))
  return objects.filter((_, index) => faults[index]?.length === 0).map(publicPart)
}

const entryOf = (source: KeySource): Entry => ({
  source,
  known: null,
  discovered: null,
  triedAt: Number.NEGATIVE_INFINITY,
  failures: 0,
  failure: null,
  fetching: null,
})

const pauseAfter = (failures: number) =>
  Math.min(longestPause, shortestPause * 2 ** Math.max(0, failures - 1))

export const createRemoteKeys = ({ fetchDocument, now }: RemoteKeysDependencies): RemoteKeys => {
  /** In the order of their last use. */
  const entries = new Map<string, Entry>()

  const jwksUriOf = async (entry: Entry): Promise<string> => {
    if ('jwksUri' in entry.source) return entry.source.jwksUri
    if (entry.discovered === null || entry.discovered.freshUntil <= now())
      entry.discovered = await discover(entry.source.issuer, fetchDocument, now)
    return entry.discovered.jwksUri
  }

  const fetchKeys = async (entry: Entry): Promise<Known> => {
    const url = await jwksUriOf(entry)
    const document = await fetchDocument(url, { mostBytes, seconds, accept: 'application/json' })
    const { keys } = objectOf(document)
    if (!Array.isArray(keys) || keys.length > mostKeys)
      throw new DocumentMalformed(`the key set needs at most ${mostKeys} keys`)
    return {
      find: createLocalJWKSet({ keys: await usableKeys(keys) } as JSONWebKeySet),
      fetchedAt: now(),
      freshUntil: now() + freshSeconds(document, now(), freshness) * 1000,
    }
  }

  const fetchNow = async (entry: Entry) => {
    try {
      entry.known = await fetchKeys(entry)
      entry.failures = 0
    } catch (error) {
      entry.failures += 1
      entry.failure = error
      entry.discovered = null
    } finally {
      entry.triedAt = now()
      entry.fetching = null
    }
  }

  /** Fetches unless the last fetch was a moment ago. All requests that wait share one fetch. */
  const refresh = async (entry: Entry): Promise<void> => {
    if (entry.fetching === null) {
      if (now() - entry.triedAt < pauseAfter(entry.failures)) return
      entry.fetching = fetchNow(entry)
    }
    await entry.fetching
  }

  /** @throws KeysUnavailable */
  const usable = (entry: Entry): Known => {
    const { known } = entry
    if (known === null || now() - known.fetchedAt > longestOutage)
      throw new KeysUnavailable(entry.failure)
    return known
  }

  const recall = (source: KeySource): Entry => {
    const key = JSON.stringify(source)
    const entry = entries.get(key) ?? entryOf(source)
    entries.delete(key)
    entries.set(key, entry)
    const [oldest] = entries.keys()
    if (entries.size > mostSources && oldest !== undefined) entries.delete(oldest)
    return entry
  }

  return {
    keysOf: async (source) => {
      const entry = recall(source)
      if (entry.known === null || entry.known.freshUntil <= now()) await refresh(entry)
      const known = usable(entry)
      return async (header, token) => {
        try {
          return await known.find(header, token)
        } catch (error) {
          if (!(error instanceof joseErrors.JWKSNoMatchingKey)) throw error
          await refresh(entry)
          return await usable(entry).find(header, token)
        }
      }
    },
  }
}
