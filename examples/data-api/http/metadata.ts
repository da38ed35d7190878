import { proofAlgorithms } from '@latchkey-auth/verify'
import type { FastifyInstance } from 'fastify'

export interface Protected {
  /** The address for requests of apps. */
  resource: string
  /** The authorization server. */
  issuer: string
}

/** RFC 9728 §3.1: between the host and the path of the resource. */
const pathFor = ({ pathname }: URL) => `/.well-known/oauth-protected-resource${pathname}`

export const metadataUrl = (resource: string) => {
  const url = new URL(resource)
  return `${url.origin}${pathFor(url)}`
}

/** Lets an app that knows only this API find the authorization server (RFC 9728). */
export const metadataRoute = (server: FastifyInstance, { resource, issuer }: Protected) => {
  server.get(pathFor(new URL(resource)), async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').send({
      resource,
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
