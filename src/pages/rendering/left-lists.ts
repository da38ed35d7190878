// Lists as their reader has left them: searched, filtered, sorted, at a later page. Links back to a list lead there.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Browser } from '../../http/browser/browser.ts'
import { pathOf, readCookie, writeCookie } from './signed-cookie.ts'

/** Keeps the cookie well below the 4 kB of a browser. */
const [mostLists, longestAddress, keptFor] = [4, 500, 3600] // s

const shown = new WeakMap<FastifyRequest, string>()
const left = new WeakMap<FastifyRequest, readonly string[]>()

/** Keeps the part of a list that the page shows. @param address of this part */
export const keepList = (request: FastifyRequest, address: string) => shown.set(request, address)

/** The address of a list as its reader has left it; the beginning of the list otherwise. */
export const asLeft = (request: FastifyRequest, path: string): string =>
  left.get(request)?.find((one) => pathOf(one) === path) ?? path

/** The latest lists, without those that are shown from their beginning. */
const withLatest = (before: readonly string[], address: string) => {
  const others = before.filter((one) => pathOf(one) !== pathOf(address))
  const isKept = address !== pathOf(address) && address.length <= longestAddress
  return isKept ? [address, ...others].slice(0, mostLists) : others
}

/** The cookie of these lists, for each page of the scope. */
export const leftLists = (scope: FastifyInstance, browser: Browser) => {
  const { lists } = browser.cookie
  scope.addHook('onRequest', async (request) => {
    // Signed values of other cookies of ours have other shapes.
    const kept = readCookie<unknown>(request, lists)
    left.set(request, Array.isArray(kept) ? kept : [])
  })
  scope.addHook('onSend', async (request, reply, payload) => {
    const [address, before = []] = [shown.get(request), left.get(request)]
    if (address === undefined || request.method !== 'GET' || reply.statusCode !== 200)
      return payload
    const now = withLatest(before, address)
    if (now.join() !== before.join()) writeCookie(reply, lists, now, keptFor, browser)
    return payload
  })
}
