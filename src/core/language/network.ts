const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** The eight groups of an IPv6 address, without leading zeros. */
const groupsOf = (address: string): string[] => {
  const [text = ''] = address.toLowerCase().split('%', 1)
  const [head = '', tail] = text.split('::')
  const [front, back] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':')))
  const known = [...(front as string[]), ...(back as string[])].length
  const missing = tail === undefined ? 0 : Math.max(0, 8 - known)
  return [...(front as string[]), ...Array<string>(missing).fill('0'), ...(back as string[])].map(
    (group) => group.replace(/^0+(?=.)/, ''),
  )
}

/**
 * The network that limits count for: an IPv4 address itself, or the /64 of an IPv6 address. One household or server
 * has a whole /64; counted by address, it would have a new limit for each.
 */
export const networkOf = (address: string): string => {
  const [, plain] = mapped.exec(address) ?? []
  if (plain) return plain
  return address.includes(':') ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address
}
