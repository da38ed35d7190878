import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type AddressRules, hostOf, isAllowedAddress, webhookUrlFault } from './addresses.ts'
import type { Attempt, SendFault } from './schedule.ts'

/** Resolves a name to its addresses. */
export type Resolve = (host: string) => Promise<readonly string[]>

export interface SenderOptions extends AddressRules {
  resolve?: Resolve
  /** Milliseconds from the first to the last byte of an attempt. */
  timeout?: number
  /** Milliseconds since 1970, for a Retry-After that is a date. */
  now(): number
}

export interface WebhookRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** Sends once. Never rejects. */
export type SendWebhook = (request: WebhookRequest, signal: AbortSignal) => Promise<Attempt>

const usualTimeout = 10_000
/** Bytes of the response that are read. Its body is not used; reading it only lets the receiver finish. */
const largestAnswer = 16 * 1024
const longestAnswer = 1000 // ms

class Refused extends Error {
  readonly code = 'ADDRESS_REFUSED'
}

/**
 * The system resolver (getaddrinfo) reads the hosts file, but each slow name blocks one of the few threads that also
 * hash passwords. So it serves private installations only.
 */
const bySystem: Resolve = async (host) =>
  (await systemLookup(host, { all: true })).map(({ address }) => address)

const byDns: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  if (addresses.length > 0) return addresses
  throw found.find((one) => one.status === 'rejected')?.reason ?? new Error('no address')
}

/**
 * Resolves a name for the connection and returns only allowed addresses. The checked address is the one used, so an
 * attack that changes the name's address after the check (DNS rebinding) fails.
 */
const guardedLookup =
  (resolve: Resolve, rules: AddressRules): LookupFunction =>
  (host, options, callback) => {
    const found = resolve(host).then((addresses) => {
      const allowed = addresses
        .filter((address) => isAllowedAddress(address, rules))
        .map((address) => ({ address, family: isIP(address) }))
      if (allowed.length === 0) throw new Refused('no address of this name is allowed')
      return allowed
    })
    found.then(
      (allowed) => {
        const [first] = allowed as [(typeof allowed)[number]]
        if (options.all) callback(null, allowed)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, '', 0),
    )
  }

const faultOf = (error: unknown): SendFault => {
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException
  if (code === 'ADDRESS_REFUSED') return 'address_refused'
  if (code === 'ABORT_ERR' || code === 'ETIMEDOUT') return 'timeout'
  if (/^(query|getaddrinfo)/.test(syscall) || /^E(NOTFOUND|AI_|NODATA)/.test(code))
    return 'name_unknown'
  return /CERT|SSL|EPROTO|TLS|SELF_SIGNED|UNABLE_TO_/.test(code)
    ? 'tls_failed'
    : 'connection_failed'
}

/** Parses Retry-After: seconds, or a date (RFC 9110 §10.2.3). @returns seconds from now */
const retryAfterOf = ({ headers }: IncomingMessage, now: number): number | null => {
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const at = /^[A-Z][a-z]{2}, \d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, (at - now) / 1000)
}

/** Reads on for a moment, so that the receiver can send the whole response. */
const letFinish = (response: IncomingMessage) =>
  new Promise<void>((resolve) => {
    let read = 0
    const timer = setTimeout(() => response.destroy(), longestAnswer)
    response.on('data', (chunk: Buffer) => {
      read += chunk.length
      if (read > largestAnswer) response.destroy()
    })
    response.on('error', () => undefined)
    response.on('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/**
 * Aborts after the timeout or when `outer` aborts. AbortSignal.any with AbortSignal.timeout may be garbage-collected
 * before it fires, and the request would wait for ever.
 */
const limitedBy = (outer: AbortSignal, timeout: number) => {
  const inner = new AbortController()
  const stop = () => inner.abort()
  const timer = setTimeout(stop, timeout)
  outer.addEventListener('abort', stop)
  if (outer.aborted) stop()
  const release = () => {
    clearTimeout(timer)
    outer.removeEventListener('abort', stop)
  }
  return { signal: inner.signal, release }
}

/** Posts messages. A redirect counts as a response and is never followed. */
export const createWebhookSender = (options: SenderOptions): SendWebhook => {
  const { allowPrivate, now, timeout = usualTimeout } = options
  const rules = { allowPrivate }
  const lookup = guardedLookup(options.resolve ?? (allowPrivate ? bySystem : byDns), rules)

  const post = ({ url, headers, body }: WebhookRequest, signal: AbortSignal) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const target = new URL(url)
      const send = target.protocol === 'https:' ? httpsRequest : httpRequest
      // A URL with an address needs no lookup, so it is checked here. The check also refuses URLs that the rules no
      // longer allow.
      if (webhookUrlFault(url, rules) !== null)
        throw new Refused(`${hostOf(target)} is not allowed`)
      const request = send(target, {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        agent: false, // no pooled connection that another name may have opened
        lookup,
        signal,
        maxHeaderSize: largestAnswer,
      })
      request.on('response', resolve).on('error', reject)
      request.end(body)
    })

  return async (message, signal) => {
    const limit = limitedBy(signal, timeout)
    try {
      const response = await post(message, limit.signal)
      const attempt = {
        kind: 'answered',
        status: response.statusCode ?? 0,
        retryAfter: retryAfterOf(response, now()),
      } as const
      await letFinish(response)
      return attempt
    } catch (error) {
      return { kind: 'failed', fault: faultOf(error) }
    } finally {
      limit.release()
    }
  }
}
