import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ClientRequest } from '../../core/clients/authenticate.ts'
import type { Interface } from '../../core/language/permissions.ts'
import { readClientCredentials } from './client-credentials.ts'
import type { Form } from './form.ts'
import { letPageRead } from './page-origin.ts'

/** Of a request that may wait for another server. */
export const requesterOf = (request: FastifyRequest) => ({
  address: request.ip,
  requestId: request.id,
  onWait: () => request.releaseSlot?.(),
})

/**
 * What the authentication of a client needs of a request.
 * @param ofInterface null: the endpoint serves apps of both
 * @param answer set for endpoints that the web page of a public app may call: the page gets to read it
 * @throws OAuthError invalid_client, invalid_request
 */
export const readClientRequest = (
  ofInterface: Interface | null,
  form: Form,
  request: FastifyRequest,
  answer?: FastifyReply | null,
): ClientRequest => ({
  interface: ofInterface,
  credentials: readClientCredentials(request.headers.authorization, form),
  origin: request.headers.origin,
  allowOrigin: (origin) => void (answer && letPageRead(answer, origin)),
  provenBy: () => undefined,
  onWait: () => request.releaseSlot?.(),
  address: request.ip,
  beginAttempt: async () => (await request.secretAttempt?.begin()) ?? (async () => undefined),
})
