import type { FastifyRequest } from 'fastify'
import { invalidRequest } from '../../core/language/errors.ts'

/**
 * Name and value of each query parameter as sent, repetitions included.
 * @throws OAuthError invalid_request for a broken percent-encoding
 */
export const queryPairs = (request: FastifyRequest): [string, string][] => {
  const url = request.raw.url ?? ''
  const at = url.indexOf('?')
  const query = at < 0 ? '' : url.slice(at + 1)
  if (/%(?![0-9a-f]{2})/i.test(query)) {
    throw invalidRequest('the query is not properly encoded', 'percent_encoding')
  }
  return [...new URLSearchParams(query)]
}
