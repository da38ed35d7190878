import { readIpAddress } from './ip-address.ts'

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
