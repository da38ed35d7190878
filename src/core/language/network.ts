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
 * Whom an address stands for: an IPv4 address for itself, an IPv6 address for the /64 it is in, all of which one
 * household or server has. Else whoever has one of those has as many tries as there are addresses in it.
 */
export const networkOf = (address: string): string => {
  const [, plain] = mapped.exec(address) ?? []
  if (plain) return plain
  return address.includes(':') ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address
}
