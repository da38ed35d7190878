import type { FastifyInstance } from 'fastify'
import type { AuditTrail } from '../../core/audit/audit.ts'
import type { AuthenticateClient } from '../../core/grants/client-requests.ts'
import type { Revocation } from '../../core/grants/revocation.ts'
import type { Limits } from '../../core/limits/limits.ts'
import { clientEndpoint } from './client-endpoint.ts'
import { readClientRequest } from './client-request.ts'
import { required } from './form.ts'
import type { IsPublicOrigin } from './page-origin.ts'

export interface RevokeDependencies {
  authenticateClient: AuthenticateClient
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
      const client = readClientRequest(
        null,
        form,
        request,
        (origin) => void reply.header('access-control-allow-origin', origin),
      )
      const revocable = deps.revocation.read(form.get('token') ?? '')
      const familyId = revocable?.type === 'grant' ? revocable.token.familyId : null
      const loaded = await deps.authenticateClient(client, familyId)
      required(form, 'token')
      if (revocable) {
        const actor = { kind: 'client', id: loaded.app.clientId } as const
        const cause = { actor, address: request.ip, requestId: request.id }
        await deps.revocation.revoke(loaded, revocable, cause)
      }
      return {}
    },
  })(scope)
