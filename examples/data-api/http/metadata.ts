import type { FastifyInstance } from 'fastify'
import { proofAlgorithms } from 'latchkey/verify'

export interface Protected {
  /** The public address of this API. */
  url: string
  /** The authorization server. */
  issuer: string
}

const path = '/.well-known/oauth-protected-resource'

export const metadataUrl = ({ url }: Protected) => `${url}${path}`

/** From which an app that knows only this API learns whom to ask for a token (RFC 9728). */
export const metadataRoute = (server: FastifyInstance, { url, issuer }: Protected) => {
  server.get(path, async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').send({
      resource: url,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: proofAlgorithms,
      dpop_bound_access_tokens_required: false,
      scopes_supported: ['records:create', 'records:update', 'records:delete'].concat([
        'workspace_members:read',
        'table:create',
      ]),
      resource_name: 'Data API of the examples',
    }),
  )
}
