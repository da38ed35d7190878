import type { DocumentRequests } from '../../core/client-documents/document-requests.ts'
import { acceptsAlgorithm } from '../../core/clients/security-profile.ts'
import type { AuthenticateClient } from '../../core/grants/client-requests.ts'
import { invalidProof } from '../../core/language/errors.ts'
import type { Dpop, DpopProof } from '../../core/tokens/dpop.ts'
import { type ClientEndpointDependencies, clientEndpoint } from '../oauth/client-endpoint.ts'
import { readClientRequest, requesterOf } from '../oauth/client-request.ts'
import type { Form } from '../oauth/form.ts'
import type { IsPublicOrigin } from '../oauth/page-origin.ts'
import type { Engine } from './engine/engine.ts'
import { demandShort } from './engine/parameters.ts'
import { readProof } from './proof.ts'

export interface PushedRequestDependencies extends ClientEndpointDependencies {
  engine: Engine
  authenticateClient: AuthenticateClient
  documentRequests: DocumentRequests
  dpop: Dpop
  isPublicOrigin: IsPublicOrigin
}

const credentialFields = ['client_id', 'client_secret', 'client_assertion', 'client_assertion_type']

const url = '/api/oauth/par'

/** RFC 9449 §10.1: the code is bound to the proven key. */
const keyPairs = (form: Form, key: DpopProof | null): [string, string][] => {
  if (key === null) return []
  const named = form.get('dpop_jkt')
  if (named !== undefined && named !== key.jkt) throw invalidProof('proof_other_key')
  return named === undefined ? [['dpop_jkt', key.jkt]] : []
}

/** RFC 9126: the client is authenticated first. Then the request is validated as at the authorization endpoint. */
export const pushedRequest = (deps: PushedRequestDependencies) =>
  clientEndpoint(deps, {
    url,
    takesResources: true,
    isPublicOrigin: deps.isPublicOrigin,
    handle: async (form, request, reply) => {
      const client = readClientRequest('current', form, request, reply)
      const { clientId } = client.credentials
      const { app } = await deps.documentRequests.withClient(clientId, requesterOf(request), () =>
        deps.authenticateClient(client),
      )
      const key = readProof(deps.dpop, reply, url)
      if (key && !acceptsAlgorithm(app, key.algorithm)) throw invalidProof('proof_algorithm')
      const sent = [...form].filter(([name]) => !credentialFields.includes(name))
      const resources = form.resources.map((uri): [string, string] => ['resource', uri])
      const pairs = [...sent, ...resources, ...keyPairs(form, key)]
      demandShort(pairs)
      if (app.clientType === 'public') await deps.limits.requestPushed(request.ip, app.clientId)
      await key?.use()
      const pushed = await deps.engine.push(pairs, app.clientId)
      reply.code(201)
      return { request_uri: pushed.requestUri, expires_in: pushed.expiresIn }
    },
  })
