import type { FastifyRequest } from 'fastify'
import type { ClientRequest } from '../../core/clients/authenticate.ts'
import type { Interface } from '../../core/language/permissions.ts'
import { readClientCredentials } from './client-credentials.ts'
import type { Form } from './form.ts'

/**
 * What the authentication of a client needs of a request.
 * @param ofInterface null: the endpoint serves apps of both
 * @param allowOrigin called when a page of this origin may read the answer
 * @throws OAuthError invalid_client, invalid_request
 */
export const readClientRequest = (
  ofInterface: Interface | null,
  form: Form,
  request: FastifyRequest,
  allowOrigin: ClientRequest['allowOrigin'] = () => undefined,
): ClientRequest => ({
  interface: ofInterface,
  credentials: readClientCredentials(request.headers.authorization, form),
  origin: request.headers.origin,
  allowOrigin,
  provenBy: () => undefined,
  onWait: () => request.releaseSlot?.(),
})
