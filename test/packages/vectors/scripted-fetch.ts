/** The answers of a vector's server, without a network. */
import type { Vector } from '../../../scripts/vectors/vector.ts'

const idle = { cursor: 'end', reset: false, more: false, changes: [] }

const answer = (body: unknown, status = 200) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })

/** Resolves never, but rejects when the request is aborted. */
const unanswered = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
  })

export const scriptedFetch = (vector: Vector): typeof fetch => {
  const { status = {}, feed = { ...idle, reset: true } } = vector
  const pages = [feed].flat()
  return async (input, init) => {
    const { pathname, searchParams } = new URL(String(input))
    if (searchParams.has('closing')) return new Response(null, { status: 204 })
    switch (pathname) {
      case '/.well-known/jwks.json':
        return answer(vector.jwks, status.jwks)
      case '/api/oauth/revocations': {
        if (status.feed !== undefined) return answer(feed, status.feed)
        return pages.length > 0 ? answer(pages.shift()) : unanswered(init?.signal)
      }
      case '/api/oauth/introspect':
        if (!('introspection' in vector)) return answer({}, 500)
        return answer(vector.introspection, status.introspection)
      default:
        throw new Error(`there is no ${pathname}`)
    }
  }
}
