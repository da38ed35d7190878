import { createConnect, limitedBy } from './connect.ts'
import { bodyOf, FetchFailed, textHeaders } from './fetch-document.ts'
import { usableKeys } from './public-keys.ts'

/** What a library passes to `fetch`. */
export interface FetchOptions {
  method: string
  headers: Record<string, string>
  /** A form; null or undefined: none. */
  body?: unknown
  signal?: AbortSignal | null | undefined
}

const mostBytes = 512 * 1024
const withoutBody = [204, 205, 304]

/** A key set without keys that are no keys for signatures, or too costly to verify with. */
const withUsableKeys = async (body: Buffer): Promise<Buffer> => {
  try {
    const { keys } = JSON.parse(body.toString('utf8'))
    return Buffer.from(JSON.stringify({ keys: (await usableKeys(keys)) ?? [] }))
  } catch {
    return body // no key set: the library refuses it
  }
}

/**
 * A `fetch` for a server that the operator has configured, which may be in a private network. It is bounded in time and
 * size, follows no redirects, and its key sets have the same rules as those of others.
 * @param seconds from the request to the last byte
 * @returns throws as `fetch`: TypeError `fetch failed`, or DOMException of an abort or timeout
 */
export const createBoundedFetch = (seconds: number) => {
  const connect = createConnect({ allowPrivate: true })

  const request = async (
    url: string,
    { method, headers, body }: FetchOptions,
    signal: AbortSignal,
  ): Promise<Response> => {
    const response = await connect(
      {
        method: method === 'POST' ? 'POST' : 'GET',
        url,
        headers: { ...headers, 'accept-encoding': 'identity' },
        ...(body != null && { body: String(body) }),
      },
      signal,
    )
    try {
      const { statusCode: status = 0, headers: received } = response
      // A compressed body could be far larger than what is counted.
      if ((received['content-encoding'] ?? 'identity') !== 'identity')
        throw new FetchFailed('content_type', status)
      const sent = await bodyOf(response, mostBytes)
      const isKeySet = headers.accept?.includes('application/jwk-set+json') && status === 200
      const read = isKeySet ? await withUsableKeys(sent) : sent
      return new Response(withoutBody.includes(status) ? null : new Uint8Array(read), {
        status,
        headers: textHeaders(received),
      })
    } finally {
      response.destroy()
    }
  }

  return async (url: string, options: FetchOptions): Promise<Response> => {
    const limit = limitedBy(seconds * 1000, options.signal ?? undefined)
    try {
      return await request(url, options, limit.signal)
    } catch (cause) {
      options.signal?.throwIfAborted()
      if (limit.signal.aborted) throw new DOMException('it did not answer in time', 'TimeoutError')
      throw new TypeError('fetch failed', { cause })
    } finally {
      limit.release()
    }
  }
}
