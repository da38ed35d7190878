import type { FastifyInstance } from 'fastify'

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
      scopes_supported: ['records:create', 'records:update', 'records:delete'].concat([
        'workspace_members:read',
        'table:create',
      ]),
      resource_name: 'Data API of the examples',
    }),
  )
}
