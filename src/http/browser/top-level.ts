import type { FastifyRequest } from 'fastify'
import { OAuthError } from '../../core/language/errors.ts'

/** A page asked the browser to load this in advance. Older browsers send `Purpose`. */
const isSpeculative = ({ headers }: FastifyRequest) =>
  [headers['sec-purpose'], headers.purpose].some((one) => String(one).includes('prefetch'))

/**
 * Accepts only top-level page loads: no image, script or frame of another page, and no prefetch. Any website can make
 * its visitors' browsers load those and so exhaust the limit of their network. Programs and old browsers send no
 * `Sec-Fetch-Dest` and are accepted. `Sec-Fetch-Mode` is not used: it says less, and some programs send it.
 * @throws OAuthError access_denied (403)
 * @see https://www.w3.org/TR/fetch-metadata/#sec-fetch-dest-header
 */
export const demandTopLevel = (request: FastifyRequest) => {
  const destination = request.headers['sec-fetch-dest'] ?? 'document'
  if (destination === 'document' && !isSpeculative(request)) return
  throw new OAuthError('access_denied', 'this address must be opened as a top-level page', {
    reason: 'no_page_of_its_own',
    status: 403,
  })
}
