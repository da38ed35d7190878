// Opens connections to allowed addresses only (SSRF).
import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type AddressRules, hostOf, isAllowedAddress, urlFault } from './addresses.ts'

/** Resolves a name to its addresses. */
export type Resolve = (host: string) => Promise<readonly string[]>

export type ConnectOptions = AddressRules & { resolve?: Resolve }

export interface OutboundRequest {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
}

/** Why a request got no response. */
export type ConnectFault =
  | 'address_refused'
  | 'name_unknown'
  | 'connection_failed'
  | 'tls_failed'
  | 'timeout'

/**
 * Sends one request. A redirect counts as a response and is never followed.
 * @throws Error whose reason `connectFaultOf` reads
 */
export type Connect = (request: OutboundRequest, signal: AbortSignal) => Promise<IncomingMessage>

const mostHeaderBytes = 16 * 1024

class AddressRefused extends Error {
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
      if (allowed.length === 0) throw new AddressRefused('no address of this name is allowed')
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

/** Why a request failed. */
export const connectFaultOf = (error: unknown): ConnectFault => {
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException
  if (code === 'ADDRESS_REFUSED') return 'address_refused'
  if (code === 'ABORT_ERR' || code === 'ETIMEDOUT') return 'timeout'
  if (/^(query|getaddrinfo)/.test(syscall) || /^E(NOTFOUND|AI_|NODATA)/.test(code))
    return 'name_unknown'
  return /CERT|SSL|EPROTO|TLS|SELF_SIGNED|UNABLE_TO_/.test(code)
    ? 'tls_failed'
    : 'connection_failed'
}

/**
 * Aborts after the timeout in milliseconds, or when `outer` aborts. AbortSignal.any with AbortSignal.timeout may be
 * garbage-collected before it fires, and the request would wait for ever.
 */
export const limitedBy = (timeout: number, outer?: AbortSignal) => {
  const inner = new AbortController()
  const stop = () => inner.abort()
  const timer = setTimeout(stop, timeout)
  outer?.addEventListener('abort', stop)
  if (outer?.aborted) stop()
  const release = () => {
    clearTimeout(timer)
    outer?.removeEventListener('abort', stop)
  }
  return { signal: inner.signal, release }
}

export const createConnect = ({ allowPrivate, resolve }: ConnectOptions): Connect => {
  const rules = { allowPrivate }
  const lookup = guardedLookup(resolve ?? (allowPrivate ? bySystem : byDns), rules)

  return ({ method, url, headers, body }, signal) =>
    new Promise<IncomingMessage>((answered, failed) => {
      const target = new URL(url)
      const send = target.protocol === 'https:' ? httpsRequest : httpRequest
      // A URL with an address needs no lookup, so it is checked here. The check also refuses URLs that the rules no
      // longer allow.
      if (urlFault(url, rules) !== null)
        throw new AddressRefused(`${hostOf(target)} is not allowed`)
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const request = send(target, {
        method,
        headers: { ...headers, ...length },
        agent: false, // no pooled connection that another name may have opened
        lookup,
        signal,
        maxHeaderSize: mostHeaderBytes,
      })
      request.on('response', answered).on('error', failed)
      // A switch to another protocol (101) ends the connection with neither of them.
      request.on('close', () => failed(new Error('the connection was closed without a response')))
      request.end(body)
    })
}
