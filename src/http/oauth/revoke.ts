import type { FastifyInstance } from 'fastify'
import type { AuditTrail } from '../../core/audit/audit.ts'
import { allowedOrigin, type Clients } from '../../core/clients/authenticate.ts'
import type { Revocation } from '../../core/grants/revocation.ts'
import type { GrantStore } from '../../core/grants/store.ts'
import { invalidClient } from '../../core/language/errors.ts'
import type { Limits } from '../../core/limits/limits.ts'
import { readClientCredentials } from './client-credentials.ts'
import { clientEndpoint } from './client-endpoint.ts'
import { required } from './form.ts'
import type { IsPublicOrigin } from './page-origin.ts'

export interface RevokeDependencies {
  clients: Clients
  grantStore: Pick<GrantStore, 'loadGrant'>
  revocation: Revocation
  isPublicOrigin: IsPublicOrigin
  limits: Limits
  audit: AuditTrail
}

/** Token revocation (RFC 7009) for the apps of both interfaces. */
export const revoke = (deps: RevokeDependencies) => (scope: FastifyInstance) =>
  clientEndpoint({
    url: '/api/oauth/revoke',
    limits: deps.limits,
    audit: deps.audit,
    isPublicOrigin: deps.isPublicOrigin,
    handle: async (form, request, reply) => {
      reply.header('vary', 'Origin')
      const credentials = readClientCredentials(request.headers.authorization, form)
      const revocable = deps.revocation.read(form.get('token') ?? '')
      const familyId = revocable?.type === 'grant' ? revocable.token.familyId : null
      const loaded = await deps.grantStore.loadGrant(credentials.clientId, familyId)
      const generation = loaded?.app.interface ?? 'current'
      const app = await deps.clients.authenticate(loaded, credentials, generation)
      if (!loaded) throw invalidClient('unknown_client')
      const origin = allowedOrigin(app, request.headers.origin)
      if (origin) reply.header('access-control-allow-origin', origin)
      required(form, 'token')
      if (revocable) {
        const actor = { kind: 'client', id: app.clientId } as const
        const cause = { actor, address: request.ip, requestId: request.id }
        await deps.revocation.revoke(app, loaded, revocable, cause)
      }
      return {}
    },
  })(scope)
