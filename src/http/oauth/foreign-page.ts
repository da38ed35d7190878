import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { invalidRequest } from '../../core/language/errors.ts'

/** Values of `Sec-Fetch-Site` for requests that a page of another origin causes (Fetch Metadata §2.3). */
const foreignSites = ['cross-site', 'same-site']

const isForeignSite = ({ headers }: FastifyRequest) =>
  foreignSites.includes(String(headers['sec-fetch-site']))

/**
 * True when a browser sends this request on behalf of a web page. Then the address is that of a visitor and does not
 * identify the sender. Programs send no origin unless they choose to.
 */
export const isForPage = (request: FastifyRequest): boolean =>
  request.headers.origin !== undefined || isForeignSite(request)

/**
 * A hook that refuses requests that any page can make its visitors' browsers send without being able to read the answer: forms,
 * images, `no-cors`. The page of a public app uses CORS and sends its origin, which is checked once the app is known.
 * @throws OAuthError invalid_request
 * @see https://www.w3.org/TR/fetch-metadata/#sec-fetch-mode-header
 */
export const demandReadable: onRequestHookHandler = (request, _reply, done) => {
  if (!isForeignSite(request)) return done()
  const { origin, 'sec-fetch-mode': mode = 'cors' } = request.headers
  if (mode === 'cors' && origin !== undefined) return done()
  throw invalidRequest('a page of another site may not send this', 'foreign_origin')
}
