import { BlockList, isIP } from 'node:net'

/** The addresses of other servers that this server may connect to. */
export interface AddressRules {
  /** Also allows this machine, private networks and plain http. Never allows `nowhere` and metadata services. */
  allowPrivate: boolean
}

const listOf = (family: 'ipv4' | 'ipv6', ...ranges: [network: string, prefix: number][]) => {
  const list = new BlockList()
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family)
  return list
}

/** @see https://www.iana.org/assignments/iana-ipv4-special-registry */
const privateV4 = listOf(
  'ipv4',
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carriers, RFC 6598
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
)

/** Metadata services, where cloud machines fetch credentials. */
const metadataV4 = listOf(
  'ipv4',
  ['169.254.0.0', 16], // link-local: most clouds
  ['100.100.100.200', 32], // Alibaba
  ['168.63.129.16', 32], // Azure
  ['192.0.0.192', 32], // Oracle
)

/** Addresses that are never used, whatever is configured. */
const nowhereV4 = listOf(
  'ipv4',
  ['0.0.0.0', 8],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, including broadcast
)

/** Loopback and unique local addresses (RFC 4193), including the metadata services below. */
const privateV6 = listOf('ipv6', ['::1', 128], ['fc00::', 7])
const metadataV6 = listOf(
  'ipv6',
  ['fd00:ec2::', 32], // AWS
  ['fd20:ce::', 32], // Google
  ['fd00:c1::', 32], // Oracle
  ['fd00:42::', 32], // Scaleway
  ['fd00:a9fe:a9fe::', 48], // Akamai
)

/** The IPv4 address in the last 32 bits, where translators of any prefix put it (RFC 6052 §2.2). */
const lastAsV4 = (address: string): string => {
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':').slice(-2)
  const numbers = groups.map((group) => Number.parseInt(group || '0', 16))
  return numbers.flatMap((number) => [number >> 8, number & 255]).join('.')
}

/**
 * Global unicast (RFC 4291 §2.4). Other addresses are link-local, multicast, unspecified, or IPv4 addresses in
 * disguise (mapped ::ffff:0:0/96, translated 64:ff9b::/96).
 */
const globalV6 = listOf('ipv6', ['2000::', 3])

/** @see https://www.iana.org/assignments/iana-ipv6-special-registry */
const specialV6 = listOf(
  'ipv6',
  ['2001::', 23], // includes Teredo, which embeds IPv4 addresses
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4, which embeds IPv4 addresses
  ['3fff::', 20],
)

/** May the server connect to this address? False for text that is not an address. */
export const isAllowedAddress = (address: string, { allowPrivate }: AddressRules): boolean => {
  const family = isIP(address)
  if (family === 4) {
    if (metadataV4.check(address, 'ipv4')) return false
    if (nowhereV4.check(address, 'ipv4')) return false
    return allowPrivate || !privateV4.check(address, 'ipv4')
  }
  // Only link-local addresses have a zone (fe80::1%eth0).
  if (family !== 6 || address.includes('%') || metadataV6.check(address, 'ipv6')) return false
  if (metadataV4.check(lastAsV4(address), 'ipv4')) return false
  if (privateV6.check(address, 'ipv6')) return allowPrivate
  return globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6')
}

/** The host of a URL, as a name or an address without the brackets of IPv6. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1')

const isLocalName = (host: string) => /(^|\.)localhost\.?$/.test(host)

/**
 * Checks the URL of another server without resolving its name; null: no fault. A name may resolve differently later, so its
 * addresses are checked when they are used.
 */
export const urlFault = (text: string, rules: AddressRules): string | null => {
  if (!/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return 'is not an absolute URL'
  const url = new URL(text)
  const host = hostOf(url)
  if (url.protocol !== 'https:' && !(rules.allowPrivate && url.protocol === 'http:'))
    return 'must use https'
  if (url.username || url.password) return 'has user information'
  if (url.hash || text.includes('#')) return 'has a fragment'
  const isOpen = isIP(host) ? isAllowedAddress(host, rules) : !isLocalName(host)
  return isOpen || (rules.allowPrivate && isLocalName(host))
    ? null
    : 'leads to an address that the server does not connect to'
}
