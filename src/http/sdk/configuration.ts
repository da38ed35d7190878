import type { FastifyInstance } from 'fastify'
import type { Consents } from '../../core/authorization/consents.ts'
import type { App } from '../../core/clients/app.ts'
import { originOf } from '../../core/clients/redirect-uri.ts'
import { isClientIdShaped } from '../../core/crypto/identifiers.ts'

export interface ConfigurationDependencies {
  consents: Pick<Consents, 'findApp'>
  issuer: string
  legacyOrigin: string | null
  platformOrigins: readonly string[]
}

/**
 * The configuration that a framed page needs first: the origins that it may trust, the endpoints of its app, and the
 * redirect URI with its own origin. Nothing in it is secret, so any page may read it.
 */
export const configuration = (scope: FastifyInstance, deps: ConfigurationDependencies) => {
  const { issuer, legacyOrigin, platformOrigins } = deps

  const describe = (app: App, origin: string | undefined) => ({
    client_id: app.clientId,
    interface: app.interface,
    client_type: app.clientType,
    authorization_endpoint:
      app.interface === 'legacy'
        ? `${legacyOrigin ?? issuer}/oauth/authorize`
        : `${issuer}/authorize`,
    token_endpoint: app.interface === 'legacy' ? null : `${issuer}/api/oauth/token`,
    redirect_uri: app.redirectUris.find((uri) => originOf(uri) === origin) ?? null,
  })

  scope.get<{ Querystring: Record<string, unknown> }>(
    '/sdk/v1/configuration',
    async (request, reply) => {
      reply
        .header('access-control-allow-origin', '*')
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('cache-control', 'public, max-age=60')
        .header('vary', 'Origin')
      const clientId = request.query.client_id
      if (clientId === undefined) return { platform_origins: platformOrigins }
      const isId = typeof clientId === 'string' && isClientIdShaped(clientId)
      const app = isId ? await deps.consents.findApp(clientId) : null
      if (!app || app.disabled) return reply.code(404).send({ error: 'unknown_app' })
      return { platform_origins: platformOrigins, ...describe(app, request.headers.origin) }
    },
  )
}
