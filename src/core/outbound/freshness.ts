import CachePolicy from 'http-cache-semantics'
import type { FetchedDocument } from './fetch-document.ts'

/**
 * Seconds for which a fetched document may be used before it is fetched again (RFC 9111 §4.2), within the bounds. One
 * that says nothing about it, or forbids storing, may be used for `least` seconds. A response 304 is as fresh as its
 * own headers say.
 * @param now milliseconds since 1970, when it was fetched
 */
export const freshSeconds = (
  { headers }: Pick<FetchedDocument, 'headers'>,
  now: number,
  { least, most }: { least: number; most: number },
): number => {
  const dated = { date: new Date(now).toUTCString(), ...headers }
  const policy = new CachePolicy(
    { method: 'GET', headers: {} },
    { status: 200, headers: dated },
    // No guesses from Last-Modified; `immutable` alone is no lifetime.
    { shared: false, cacheHeuristic: 0, immutableMinTimeToLive: 0 },
  )
  // Its timeToLive() would add the seconds in which a stale response may be served.
  return Math.min(most, Math.max(least, policy.maxAge() - policy.age()))
}
