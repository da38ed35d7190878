// Fetches files of other servers; never connects to an address that is not open to everyone (SSRF).
import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

export interface OutboundOptions {
  /** Also allows this machine, private networks and plain http; never metadata services. */
  allowPrivate: boolean
  mostBytes: number
  /** From the call to the last byte, redirects included. */
  milliseconds: number
  resolve?: (host: string) => Promise<readonly string[]>
}

/** Why a file was not fetched; its message is for the caller. */
export class Refused extends Error {}

const listOf = (family: 'ipv4' | 'ipv6', networks: string) => {
  const list = new BlockList()
  for (const network of networks.split(' ')) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return (address: string) => list.check(address, family)
}

const isPrivateV4 = listOf(
  'ipv4',
  '10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 172.16.0.0/12 192.168.0.0/16',
)
/** Of clouds, where machines fetch credentials. */
const isMetadataV4 = listOf(
  'ipv4',
  '169.254.0.0/16 100.100.100.200/32 168.63.129.16/32 192.0.0.192/32',
)
/** @see https://www.iana.org/assignments/iana-ipv4-special-registry */
const isNowhereV4 = listOf(
  'ipv4',
  '0.0.0.0/8 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
)
const isPrivateV6 = listOf('ipv6', '::1/128 fc00::/7')
const isMetadataV6 = listOf(
  'ipv6',
  'fd00:ec2::/32 fd20:ce::/32 fd00:c1::/32 fd00:42::/32 fd00:a9fe:a9fe::/48',
)
const isGlobalV6 = listOf('ipv6', '2000::/3')
/** @see https://www.iana.org/assignments/iana-ipv6-special-registry */
const isSpecialV6 = listOf('ipv6', '2001::/23 2001:db8::/32 2002::/16 3fff::/20')

/** The IPv4 address in the last 32 bits, where translators put it (RFC 6052 §2.2). */
const lastAsV4 = (address: string): string => {
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':').slice(-2)
  const numbers = groups.map((group) => Number.parseInt(group || '0', 16))
  return numbers.flatMap((number) => [number >> 8, number & 255]).join('.')
}

export const isOpenAddress = (address: string, allowPrivate: boolean): boolean => {
  const family = isIP(address)
  if (family === 4) {
    if (isMetadataV4(address) || isNowhereV4(address)) return false
    return allowPrivate || !isPrivateV4(address)
  }
  if (family !== 6 || address.includes('%') || isMetadataV6(address)) return false
  if (isMetadataV4(lastAsV4(address))) return false
  if (isPrivateV6(address)) return allowPrivate
  return isGlobalV6(address) && !isSpecialV6(address)
}

const insideUrl = 'leads to an address that the server does not connect to'

const hostOf = (url: URL) => url.hostname.replace(/^\[(.*)\]$/, '$1')

const isLocalName = (host: string) => /(^|\.)localhost\.?$/.test(host)

/** Checks a URL without resolving its name; null: no fault. The addresses of names are checked when they are used. */
export const urlFault = (text: string, allowPrivate: boolean): string | null => {
  if (!/^[\x21-\x7e]{1,8000}$/.test(text) || !URL.canParse(text)) return 'is not an absolute URL'
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    return 'must use https'
  if (url.username || url.password) return 'has user information'
  if (text.includes('#')) return 'has a fragment'
  const host = hostOf(url)
  const isOpen = isIP(host) ? isOpenAddress(host, allowPrivate) : allowPrivate || !isLocalName(host)
  return isOpen ? null : insideUrl
}

const bySystem = async (host: string) =>
  (await systemLookup(host, { all: true })).map(({ address }) => address)

/** Not with the system's resolver: there, slow names would block the threads of all files. */
const byDns = async (host: string) => {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
}

/** The checked address is the one used, so a name that changes after the check gains nothing. */
const guardedLookup =
  ({ allowPrivate, resolve = allowPrivate ? bySystem : byDns }: OutboundOptions): LookupFunction =>
  (host, options, callback) => {
    const found = resolve(host).then((addresses) => {
      if (addresses.length === 0) throw new Refused('has an unknown host')
      const open = addresses.filter((address) => isOpenAddress(address, allowPrivate))
      if (open.length === 0) throw new Refused(insideUrl)
      return open.map((address) => ({ address, family: isIP(address) }))
    })
    found.then(
      (open) => {
        const [first] = open as [(typeof open)[number]]
        if (options.all) callback(null, open)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, '', 0),
    )
  }

const bodyOf = async (response: IncomingMessage, mostBytes: number): Promise<Buffer> => {
  const tooLarge = () => new Refused(`has more than ${mostBytes} bytes`)
  if (Number(response.headers['content-length'] ?? 0) > mostBytes) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > mostBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const mostRedirects = 3

/** Fetches at once, in all and of each owner, and how many of an owner may wait for others to end. */
const most = { all: 16, each: 4, waiting: 50 }

/** Bounds the fetches at once; those that have to wait start in their order. */
const createSlots = () => {
  const running: string[] = []
  const waiting = new Set<{ owner: string; start: () => void }>()
  const isFree = (owner: string) =>
    running.length < most.all && running.filter((one) => one === owner).length < most.each

  const startNext = () => {
    const next = [...waiting].find(({ owner }) => isFree(owner))
    if (!next) return
    waiting.delete(next)
    running.push(next.owner)
    next.start()
  }

  const turnOf = (owner: string, signal: AbortSignal) =>
    new Promise<void>((start, failed) => {
      const one = { owner, start }
      const refuse = () => failed(new Refused('has to wait: too many files are fetched'))
      if ([...waiting].filter((other) => other.owner === owner).length >= most.waiting) refuse()
      else waiting.add(one)
      signal.addEventListener('abort', () => waiting.delete(one) && refuse())
      startNext()
    })

  return async <Result>(owner: string, signal: AbortSignal, work: () => Promise<Result>) => {
    await turnOf(owner, signal)
    try {
      return await work()
    } finally {
      running.splice(running.indexOf(owner), 1)
      startNext()
    }
  }
}

export interface Fetched {
  content: Buffer
  type: string
}

/** @throws Refused for a status, a body or a redirect that is not accepted */
const createFollow = (options: OutboundOptions) => {
  const lookup = guardedLookup(options)

  const get = (text: string, signal: AbortSignal) =>
    new Promise<IncomingMessage>((answered, failed) => {
      const fault = urlFault(text, options.allowPrivate)
      if (fault !== null) throw new Refused(fault)
      const url = new URL(text)
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest
      const headers = { accept: '*/*', 'accept-encoding': 'identity' }
      const request = send(url, { headers, agent: false, lookup, signal, maxHeaderSize: 16_384 })
      request.on('response', answered).on('error', failed)
      // A switch to another protocol (101) ends the connection with neither of them.
      request.on('close', () => failed(new Refused('was not answered')))
      request.end()
    })

  return async function follow(text: string, signal: AbortSignal, redirects = 0): Promise<Fetched> {
    const response = await get(text, signal)
    try {
      const { statusCode = 0, headers } = response
      if ([301, 302, 303, 307, 308].includes(statusCode)) {
        if (redirects === mostRedirects) throw new Refused('has too many redirects')
        const next = headers.location ?? ''
        if (!next || !URL.canParse(next, text)) throw new Refused('has a wrong redirect')
        return await follow(new URL(next, text).href, signal, redirects + 1)
      }
      if (statusCode !== 200) throw new Refused(`was answered with status ${statusCode}`)
      // A compressed body could be far larger than what is counted.
      if ((headers['content-encoding'] ?? 'identity') !== 'identity')
        throw new Refused('has a compressed body')
      const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
      return { content: await bodyOf(response, options.mostBytes), type }
    } finally {
      response.destroy()
    }
  }
}

export const createOutbound = (options: OutboundOptions) => {
  const inSlot = createSlots()
  const follow = createFollow(options)

  /** @param owner the organization that named the URL @throws Refused */
  return async (text: string, owner: string): Promise<Fetched> => {
    const fault = urlFault(text, options.allowPrivate)
    if (fault !== null) throw new Refused(fault)
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), options.milliseconds)
    try {
      return await inSlot(owner, limit.signal, () => follow(text, limit.signal))
    } catch (error) {
      if (error instanceof Refused) throw error
      throw new Refused(limit.signal.aborted ? 'was not answered in time' : 'could not be fetched')
    } finally {
      clearTimeout(timer)
    }
  }
}
