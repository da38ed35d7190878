import type { IncomingMessage } from 'node:http'
import { createIpRanges, readIpAddress } from '../../core/language/ip-address.ts'

/**
 * Returns a function that finds the address of the client that sent a request. `X-Forwarded-For` is read from its end,
 * because each proxy appends the address it saw: the first one that is no trusted proxy is the client. What stands
 * before it came from the client and is ignored. Where a proxy wrote no address (`unknown`, RFC 7239 §6), the proxy
 * itself counts. `Forwarded` is not read: a proxy that does not know it would pass on what the client wrote.
 * @param trustedProxies addresses and ranges whose `X-Forwarded-For` is accepted
 */
export const createClientAddress = (trustedProxies: readonly string[]) => {
  const isTrusted = createIpRanges(trustedProxies)

  const lastUntrusted = (peer: string, forwarded: string): string => {
    let address = peer
    const hops = forwarded.split(',')
    while (hops.length > 0 && isTrusted(address)) {
      const hop = hops.pop() as string
      if (hop.trim() === '') continue // RFC 9110 §5.6.1
      const next = readIpAddress(hop)
      if (next === null) break
      address = next
    }
    return address
  }

  return ({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string => {
    const seen = (socket as Partial<typeof socket> | null)?.remoteAddress ?? ''
    const peer = readIpAddress(seen)
    if (peer === null) return seen // a client that has disconnected
    const forwarded = headers['x-forwarded-for']
    if (forwarded === undefined || trustedProxies.length === 0) return peer
    return lastUntrusted(peer, String(forwarded))
  }
}
