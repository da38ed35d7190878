import type { AuthenticateClient } from '../../core/grants/client-requests.ts'
import type { Revocation } from '../../core/grants/revocation.ts'
import { type ClientEndpointDependencies, clientEndpoint } from './client-endpoint.ts'
import { readClientRequest } from './client-request.ts'
import { required } from './form.ts'
import type { IsPublicOrigin } from './page-origin.ts'

export interface RevokeDependencies extends ClientEndpointDependencies {
  authenticateClient: AuthenticateClient
  revocation: Revocation
  isPublicOrigin: IsPublicOrigin
}

/** Token revocation (RFC 7009) for the apps of both interfaces. */
export const revoke = (deps: RevokeDependencies) =>
  clientEndpoint(deps, {
    url: '/api/oauth/revoke',
    isPublicOrigin: deps.isPublicOrigin,
    handle: async (form, request, reply) => {
      const client = readClientRequest(null, form, request, reply)
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
  })
