import { BlockList, isIP, SocketAddress } from 'node:net'

const v4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
/** A port, or a name in place of it (RFC 7239 §6.3), which some proxies append. */
const port = String.raw`(?::(?:\d{1,5}|_[\w.-]+))?`
const v4WithPort = new RegExp(`^(${v4.source.slice(1, -1)})${port}$`)
const bracketed = new RegExp(String.raw`^\[([^\]]*)\]${port}$`)
/** Eight groups and a port without brackets. */
const fullV6WithPort = /^((?:[\da-f]{1,4}:){7}[\da-f]{1,4}):\d{1,5}$/i
/** An address with a port fits, and the zone of a link-local one. */
const longest = 200

const readV6 = (text: string): string | null => {
  const [address = ''] = text.split('%', 1) // the zone is a name on one machine only
  if (isIP(address) !== 6) return null
  const shortest = new SocketAddress({ address, family: 'ipv6' }).address
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(shortest)?.[1] ?? shortest
}

/**
 * Reads an IP address in any form that proxies write: with a port, in brackets, in quotes, with a zone, an IPv4 address
 * mapped to IPv6 (RFC 7239 §6, RFC 4291 §2.5.5.2).
 * @returns its one canonical form (RFC 5952), without port and zone; null for any other text
 */
export const readIpAddress = (text: string): string | null => {
  if (isIP(text) === 4) return text
  if (text.length > longest) return null
  const bare = text.trim().replace(/^"(.*)"$/, '$1')
  const found = v4WithPort.exec(bare)?.[1]
  if (found !== undefined) {
    const decimal = found.split('.').map(Number).join('.')
    return isIP(decimal) === 4 ? decimal : null
  }
  return readV6(bracketed.exec(bare)?.[1] ?? fullV6WithPort.exec(bare)?.[1] ?? bare)
}

const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

/** The bits before an IPv4 address that is mapped to IPv6. */
const mappedBits = 96

/** An address, or a range such as 10.0.0.0/8. @returns null for any other text */
export const readIpRange = (text: string): { network: string; bits: number } | null => {
  const [written = '', prefix, ...rest] = text.split('/')
  const network = isIP(written) === 0 ? null : readIpAddress(written)
  if (network === null || rest.length > 0) return null
  const size = familyOf(network) === 'ipv4' ? 32 : 128
  if (prefix === undefined) return { network, bits: size }
  const shift = size === 32 && isIP(written) === 6 ? mappedBits : 0
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) - shift : -1
  return bits >= 0 && bits <= size ? { network, bits } : null
}

/** @returns a test whether an address in canonical form is in one of these ranges @throws for text that is no range */
export const createIpRanges = (ranges: readonly string[]) => {
  const list = new BlockList()
  for (const one of ranges) {
    const range = readIpRange(one)
    if (range === null) throw new TypeError('not an IP range')
    list.addSubnet(range.network, range.bits, familyOf(range.network))
  }
  return (address: string): boolean => list.check(address, familyOf(address))
}

/** The eight groups of an IPv6 address in canonical form. */
const groupsOf = (address: string): string[] => {
  const [head = '', tail] = address.split('::')
  const [front = [], back = []] = [head, tail ?? ''].map((part) =>
    part === '' ? [] : part.split(':'),
  )
  const missing = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length)
  return [...front, ...Array<string>(missing).fill('0'), ...back]
}

/**
 * The network that limits count for: an IPv4 address itself, or the /64 of an IPv6 address. One household or server
 * has a whole /64; counted by address, it would have a new limit for each.
 */
export const networkOf = (text: string): string => {
  const address = readIpAddress(text)
  if (address === null) return text
  return address.includes(':') ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address
}
