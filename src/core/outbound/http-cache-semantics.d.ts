// The part of the package that this folder uses. The package has no types of its own.
declare module 'http-cache-semantics' {
  interface Message {
    headers: Record<string, string>
  }

  export default class CachePolicy {
    constructor(
      request: Message & { method: string },
      response: Message & { status: number },
      options: { shared: boolean; cacheHeuristic: number; immutableMinTimeToLive: number },
    )
    /** The freshness lifetime in seconds. */
    maxAge(): number
    /** Seconds since the origin server made the response. */
    age(): number
  }
}
