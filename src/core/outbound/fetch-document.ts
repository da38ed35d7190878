// Fetches a document of another server, safely: its URL comes from a client, an admin or another document.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { hostOf, urlFault } from './addresses.ts'
import {
  type ConnectFault,
  type ConnectOptions,
  connectFaultOf,
  createConnect,
  limitedBy,
} from './connect.ts'
import { createFetchSlots } from './fetch-slots.ts'

export interface DocumentBounds {
  /** Most bytes of the body. */
  mostBytes: number
  /** Seconds from the request to the last byte. The time before it has a slot is not counted. */
  seconds: number
  /** The app, organization or host that named the URL: it has a few slots. */
  owner: string
  /** Accepted media types, such as `application/json`, which also accepts `application/…+json`. */
  accept: string | readonly string[]
  /** The `ETag` of the version that is known: a response 304 says that it is still the present one. */
  etag?: string | null
  /** Ends the fetch early: it failed with `timeout`, or OutboundBusy before it had a slot. */
  signal?: AbortSignal
}

export interface FetchedDocument {
  /** 200, or 304 if the bounds have an `etag`. */
  status: number
  /** By their names in lower case. */
  headers: Record<string, string>
  body: Buffer
}

/**
 * Fetches a document: from public addresses only, by https, without redirects and credentials.
 * @throws FetchFailed; OutboundBusy when it gets no slot in time, which is no failure of the other server
 */
export type FetchDocument = (url: string, bounds: DocumentBounds) => Promise<FetchedDocument>

export type FetchFailure =
  | 'address'
  | 'timeout'
  | 'too_large'
  | 'redirect'
  | 'unreachable'
  | 'content_type'
  | 'status'

/** A document could not be fetched. */
export class FetchFailed extends Error {
  readonly reason: FetchFailure
  /** Of the response, if there was one. */
  readonly status: number | null

  constructor(reason: FetchFailure, status: number | null = null, cause?: unknown) {
    super(`the document was not fetched: ${reason}`, { cause })
    this.reason = reason
    this.status = status
  }
}

/** Requests at once: in all, and for each owner and each host. */
const slots = { all: 64, each: 4 }
/** Milliseconds until a fetch has a slot. Longer only when its own owner or host occupies its slots. */
export const longestQueue = 500

const reasonOf: Record<ConnectFault, FetchFailure> = {
  address_refused: 'address',
  name_unknown: 'unreachable',
  connection_failed: 'unreachable',
  tls_failed: 'unreachable',
  timeout: 'timeout',
}

const failureOf = (error: unknown, signal: AbortSignal): FetchFailed => {
  if (error instanceof FetchFailed) return error
  const reason = signal.aborted ? 'timeout' : reasonOf[connectFaultOf(error)]
  return new FetchFailed(reason, null, error)
}

const isAccepted = (contentType: string | undefined, accept: DocumentBounds['accept']) => {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if ([accept].flat().includes(type)) return true
  return accept === 'application/json' && /^application\/[a-z0-9.-]+\+json$/.test(type)
}

/** @throws FetchFailed redirect, status, content_type */
const checkHead = ({ statusCode = 0, headers }: IncomingMessage, bounds: DocumentBounds) => {
  const isUnchanged = statusCode === 304 && Boolean(bounds.etag)
  if (isUnchanged) return
  if (statusCode >= 300 && statusCode < 400) throw new FetchFailed('redirect', statusCode)
  if (statusCode !== 200) throw new FetchFailed('status', statusCode)
  // No encoding was offered. A compressed body could be far larger than what is counted.
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity' || !isAccepted(headers['content-type'], bounds.accept))
    throw new FetchFailed('content_type', statusCode)
}

/** @throws FetchFailed too_large */
export const bodyOf = async (response: IncomingMessage, mostBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > mostBytes) throw new FetchFailed('too_large', response.statusCode ?? null)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** By their names in lower case. */
export const textHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )

/** Fetches with a limited number of requests at once: in all, for each owner and for each host. */
export const createFetchDocument = (options: ConnectOptions): FetchDocument => {
  const connect = createConnect(options)
  const inSlot = createFetchSlots(slots)

  const request = async (url: string, bounds: DocumentBounds, signal: AbortSignal) => {
    const response = await connect(
      {
        method: 'GET',
        url,
        headers: {
          accept: [bounds.accept].flat().join(', '),
          'accept-encoding': 'identity',
          ...(bounds.etag ? { 'if-none-match': bounds.etag } : {}),
        },
      },
      signal,
    )
    try {
      checkHead(response, bounds)
      return {
        status: response.statusCode ?? 0,
        headers: textHeaders(response.headers),
        body: await bodyOf(response, bounds.mostBytes),
      }
    } finally {
      response.destroy()
    }
  }

  const fetchNow = async (url: string, bounds: DocumentBounds) => {
    const { signal, release } = limitedBy(bounds.seconds * 1000, bounds.signal)
    try {
      return await request(url, bounds, signal)
    } catch (error) {
      throw failureOf(error, signal)
    } finally {
      release()
    }
  }

  return async (url, bounds) => {
    if (urlFault(url, options) !== null) throw new FetchFailed('address')
    const lanes = [`owner ${bounds.owner}`, `host ${hostOf(new URL(url))}`]
    const queue = limitedBy(longestQueue, bounds.signal)
    try {
      return await inSlot(lanes, queue.signal, () => fetchNow(url, bounds))
    } finally {
      queue.release()
    }
  }
}
