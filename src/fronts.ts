// Part of the wiring (app.ts): services → fronts.
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import type { Keyring } from './domain/keyring.ts'
import { createEngine } from './engine/engine.ts'
import { adminFront } from './http/admin/front.ts'
import { createBrowser } from './http/browser.ts'
import { currentAuthorize } from './http/current/authorize.ts'
import { deviceAuthorization } from './http/current/device-authorization.ts'
import { endSessionForm } from './http/current/end-session.ts'
import { introspect } from './http/current/introspect.ts'
import { metadata } from './http/current/metadata.ts'
import { preflight } from './http/current/preflight.ts'
import { pushedRequest } from './http/current/pushed-request.ts'
import { revocations } from './http/current/revocations.ts'
import { revoke } from './http/current/revoke.ts'
import { currentToken } from './http/current/token.ts'
import { userinfo } from './http/current/userinfo.ts'
import { legacyAuthorize } from './http/legacy/authorize.ts'
import { legacyToken } from './http/legacy/token.ts'
import { publicError } from './http/oauth-errors.ts'
import type { Metrics } from './http/operations/metrics.ts'
import { pages } from './http/pages/pages.ts'
import { createRenderer } from './http/pages/render.ts'
import { sdk } from './http/sdk/sdk.ts'
import type { Services } from './services.ts'
import type { Stores } from './stores.ts'

/** Everything that this server answers but its own operations. */
export const registerFronts = async (
  server: FastifyInstance,
  config: Config,
  stores: Stores,
  keyring: Keyring,
  metrics: Metrics,
  services: Services,
) => {
  const { issuer, audience, legacyOrigin, legacyEnd, brand } = config
  const browser = createBrowser(services.sessions, issuer.startsWith('https:'))
  const renderer = createRenderer(brand, browser.sessionMark)
  const engine = createEngine(issuer, {
    findApp: stores.consents.findApp,
    issueCode: services.grants.issueCode,
    readIdTokenHint: services.idTokens.readHint,
    records: stores.records,
    keyring,
    now: stores.now,
    platformOrigins: config.platformOrigins,
  })
  const shared = {
    ...services,
    browser,
    renderer,
    engine,
    grantStore: stores.grants,
    outcome: metrics.tokenOutcome,
    introspected: metrics.introspected,
    userinfoRead: metrics.userinfoRead,
    signOutAsked: metrics.signOutAsked,
    isPublicOrigin: stores.isPublicOrigin,
    issuer,
    audience,
    legacyHost: legacyOrigin && new URL(legacyOrigin).host,
    platformOrigins: config.platformOrigins,
    legacyEnd,
    showError: renderer.error,
  }

  server.setErrorHandler((error, request, reply) =>
    renderer.error(request, reply, publicError(error)),
  )
  await server.register(adminFront(services))
  await server.register(
    metadata({ issuer, signingKeys: services.signingKeys, keyAhead: config.signingKeyAhead }),
  )
  await server.register(currentToken(shared))
  await server.register(pushedRequest(shared))
  await server.register(deviceAuthorization(shared))
  await server.register(introspect(shared))
  await server.register(revoke(shared))
  await server.register(revocations(shared))
  await server.register(preflight(shared))
  await server.register(userinfo(shared))
  await server.register(currentAuthorize(shared))
  await server.register(endSessionForm(shared))
  await server.register(legacyToken(shared))
  await server.register(legacyAuthorize(shared))
  await server.register(sdk({ ...shared, issuer, legacyOrigin }))
  await server.register(
    pages({
      ...shared,
      brand,
      origin: issuer,
      origins: [issuer, ...(legacyOrigin ? [legacyOrigin] : [])],
      csrfKey: keyring.csrfKey,
      now: stores.now,
      install: (origin, { organizationId, clientId, ...approval }) =>
        services.installs.approve(organizationId, clientId, approval, origin),
    }),
  )
  server.setNotFoundHandler((request, reply) => renderer.notFound(request, reply))
}
