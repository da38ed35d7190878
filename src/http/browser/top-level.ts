import type { FastifyRequest } from 'fastify'
import { OAuthError } from '../../core/language/errors.ts'

/** A page asked the browser to load this before anybody wants to see it (`Purpose` is what older browsers say). */
const isSpeculative = ({ headers }: FastifyRequest) =>
  [headers['sec-purpose'], headers.purpose].some((one) => String(one).includes('prefetch'))

/**
 * Lets through what a person may have in front of them: a page of its own, no image, script or frame of another page, and
 * nothing that is loaded in advance. Any website can make its visitors' browsers load those, and use up what their
 * network may begin. Programs and old browsers do not say what they load for. `Sec-Fetch-Mode` says less, and some
 * programs send one.
 * @throws OAuthError access_denied (403)
 * @see https://www.w3.org/TR/fetch-metadata/#sec-fetch-dest-header
 */
export const demandTopLevel = (request: FastifyRequest) => {
  const destination = request.headers['sec-fetch-dest'] ?? 'document'
  if (destination === 'document' && !isSpeculative(request)) return
  throw new OAuthError('access_denied', 'this address has to be opened as a page of its own', {
    reason: 'no_page_of_its_own',
    status: 403,
  })
}
