import type { FastifyRequest } from 'fastify'
import type { PageParties } from '../../core/audit/refused-pages.ts'

/** The app and the organization that a request is about. */
type Concerned = Pick<PageParties, 'organizationId' | 'clientId'>

const noted = new WeakMap<FastifyRequest, Concerned>()

export const concernedBy = (request: FastifyRequest): Concerned =>
  noted.get(request) ?? { organizationId: null, clientId: null }

/** Notes what the server has found itself, for the record of a refusal. A null leaves what is known. */
export const noteConcerned = (
  request: FastifyRequest,
  { organizationId, clientId }: Partial<Concerned>,
) => {
  const known = concernedBy(request)
  noted.set(request, {
    organizationId: organizationId ?? known.organizationId,
    clientId: clientId ?? known.clientId,
  })
}
