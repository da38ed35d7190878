import type { FastifyInstance } from 'fastify'
import type { Engine } from '../../engine/engine.ts'
import type { AuditTrail } from '../../services/audit.ts'
import { allowedOrigin, type Clients } from '../../services/clients.ts'
import type { GrantStore } from '../../services/grants.ts'
import type { Limits } from '../../services/limits.ts'
import { readClientCredentials } from '../client-credentials.ts'
import { clientEndpoint } from '../client-endpoint.ts'

export interface PushedRequestDependencies {
  engine: Engine
  clients: Clients
  grantStore: Pick<GrantStore, 'loadGrant'>
  limits: Limits
  audit: AuditTrail
}

const credentialFields = ['client_id', 'client_secret', 'client_assertion', 'client_assertion_type']

/** RFC 9126: the client says who it is first, then the request is validated as at the authorization endpoint. */
export const pushedRequest = (deps: PushedRequestDependencies) => (scope: FastifyInstance) =>
  clientEndpoint({
    url: '/api/oauth/par',
    limits: deps.limits,
    audit: deps.audit,
    handle: async (form, { headers }, reply) => {
      reply.header('vary', 'Origin')
      const credentials = readClientCredentials(headers.authorization, form)
      const loaded = await deps.grantStore.loadGrant(credentials.clientId, null)
      const app = await deps.clients.authenticate(loaded, credentials, 'current')
      const origin = allowedOrigin(app, headers.origin)
      if (origin) reply.header('access-control-allow-origin', origin)
      const pairs = [...form].filter(([name]) => !credentialFields.includes(name))
      const pushed = await deps.engine.push(pairs, app.clientId)
      reply.code(201)
      return { request_uri: pushed.requestUri, expires_in: pushed.expiresIn }
    },
  })(scope)
