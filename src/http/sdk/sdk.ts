// Serves the web-app SDK. The SDK itself is in packages/sdk and runs in browsers.
import type { FastifyInstance } from 'fastify'
import type { Consents } from '../../core/authorization/consents.ts'
import type { App } from '../../core/clients/app.ts'
import { originOf } from '../../core/clients/redirect-uri.ts'
import { isClientIdShaped } from '../../core/crypto/identifiers.ts'
import type { Place } from '../../core/language/endpoints.ts'
import { answerErrors, sendOAuthError } from '../oauth/oauth-errors.ts'
import { readStaticFile, sendStaticFile } from '../server/static-file.ts'

// The output of `npm run build`, from packages/sdk.
const directory = new URL('../../../dist/sdk/', import.meta.url)
const names = ['v1.js', 'host-v1.js']

// Cached for an hour, so that a fix arrives soon. For a day more, browsers may use the old version while they
// revalidate.
const caching = 'public, max-age=3600, stale-while-revalidate=86400'

/** The two scripts, for pages of any origin. Their content does not depend on the request. */
const scripts = (scope: FastifyInstance) => {
  for (const name of names) {
    const file = readStaticFile(new URL(name, directory), 'text/javascript; charset=utf-8')
    scope.get(`/sdk/${name}`, (request, reply) => {
      reply
        .header('access-control-allow-origin', '*')
        .header('cross-origin-resource-policy', 'cross-origin')
      return sendStaticFile(request, reply, file, caching)
    })
  }
}

interface SdkDependencies {
  consents: Pick<Consents, 'findApp'>
  place: Pick<Place, 'base' | 'prefix'>
  legacyOrigin: string | null
  platformOrigins: readonly string[]
}

/**
 * The configuration that a framed page needs first: the origins that it may trust, the endpoints of its app, and the
 * redirect URI with its own origin. Nothing in it is secret, so any page may read it.
 */
const configuration = (scope: FastifyInstance, deps: SdkDependencies) => {
  const { legacyOrigin, platformOrigins } = deps
  const { base, prefix } = deps.place

  const describe = (app: App, origin: string | undefined) => ({
    client_id: app.clientId,
    interface: app.interface,
    client_type: app.clientType,
    authorization_endpoint:
      app.interface === 'legacy'
        ? `${legacyOrigin ? legacyOrigin + prefix : base}/oauth/authorize`
        : `${base}/authorize`,
    token_endpoint: app.interface === 'legacy' ? null : `${base}/api/oauth/token`,
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

/** The scripts for framed apps and for platform pages, and the configuration that the scripts load first. */
export const sdk = (deps: SdkDependencies) => async (scope: FastifyInstance) => {
  answerErrors(scope, sendOAuthError)
  scripts(scope)
  configuration(scope, deps)
}
