import { type CurrentPermission, proofAlgorithms } from '@latchkey-auth/verify'
import type { FastifyInstance } from 'fastify'

/** Of the operations of the current interface. */
const permissions: CurrentPermission[] = [
  'records:create',
  'records:update',
  'records:delete',
  'workspace_members:read',
  'teams:read',
  'documents:read',
  'table:create',
  'table:modify',
  'rootTable:create',
]

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
      scopes_supported: permissions,
      resource_name: 'Data API of the examples',
    }),
  )
}
