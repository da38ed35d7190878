import type { FastifyRequest } from 'fastify'
import { invalidRequest } from '../../core/language/errors.ts'

/** What browsers say of a request for a page of another origin (Fetch Metadata §2.3). */
const foreignSites = ['cross-site', 'same-site']

const isForeignSite = ({ headers }: FastifyRequest) =>
  foreignSites.includes(String(headers['sec-fetch-site']))

/**
 * Does a visitor's browser send this for a page? Then the visitor's address says nothing of who wants it. Programs
 * name no origin, unless they choose to.
 */
export const isForPage = (request: FastifyRequest): boolean =>
  request.headers.origin !== undefined || isForeignSite(request)

/**
 * Refuses what any page can make its visitors send, and cannot read the answer to: forms, images, `no-cors`. The page
 * of a public app asks with CORS and names its origin, which is compared once the app is known.
 * @throws OAuthError invalid_request
 * @see https://www.w3.org/TR/fetch-metadata/#sec-fetch-mode-header
 */
export const demandReadable = (request: FastifyRequest): void => {
  if (!isForeignSite(request)) return
  const { origin, 'sec-fetch-mode': mode = 'cors' } = request.headers
  if (mode === 'cors' && origin !== undefined) return
  throw invalidRequest('a page of another site may not send this', 'foreign_origin')
}
