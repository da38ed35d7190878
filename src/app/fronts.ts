// Part of the wiring (app.ts): services → fronts.
import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Keyring } from '../core/crypto/keyring.ts'
import { OAuthError } from '../core/language/errors.ts'
import { createBrowser } from '../http/browser/browser.ts'
import { currentAuthorize } from '../http/current/authorize.ts'
import { deviceAuthorization } from '../http/current/device-authorization.ts'
import { endSessionForm } from '../http/current/end-session.ts'
import { createEngine } from '../http/current/engine/engine.ts'
import { pushedRequest } from '../http/current/pushed-request.ts'
import { currentToken } from '../http/current/token.ts'
import { userinfo } from '../http/current/userinfo.ts'
import { legacyAuthorize } from '../http/legacy/authorize.ts'
import { legacyToken } from '../http/legacy/token.ts'
import { introspect } from '../http/oauth/introspect.ts'
import { metadata } from '../http/oauth/metadata.ts'
import { publicError, sendOAuthError } from '../http/oauth/oauth-errors.ts'
import { preflight } from '../http/oauth/preflight.ts'
import { revocations } from '../http/oauth/revocations.ts'
import { revoke } from '../http/oauth/revoke.ts'
import type { Metrics } from '../http/operations/metrics.ts'
import { adminFront } from '../http/operator/front.ts'
import { pages } from '../http/pages/pages.ts'
import { createRenderer } from '../http/pages/rendering/render.ts'
import { text } from '../http/pages/rendering/text.ts'
import { sdk } from '../http/sdk/sdk.ts'
import { allowOthers } from '../http/server/allowed-methods.ts'
import type { Services } from './services.ts'
import type { Stores } from './stores.ts'

/** Matches a Host header as clients may send it (RFC 9110 §4.2.3): in any case and with or without the default port. */
const hostPattern = ({ host, port, protocol }: URL): RegExp => {
  const escaped = host.replaceAll(/[^\w-]/g, '\\$&')
  const usual = protocol === 'https:' ? 443 : 80
  return new RegExp(`^${escaped}${port === '' ? `(?::${usual})?` : ''}$`, 'i')
}

/** Dependencies of the fronts. */
const createParts = (
  config: Config,
  stores: Stores,
  keyring: Keyring,
  metrics: Metrics,
  services: Services,
) => {
  const { issuer, audience, legacyOrigin, legacyEnd, brand } = config
  const browser = createBrowser(services.sessions, issuer.startsWith('https:'))
  const renderer = createRenderer(brand, browser.sessionMark, services.securityNotices)
  const engine = createEngine(issuer, {
    findApp: stores.consents.findApp,
    issueCode: services.issuance.issueCode,
    readIdTokenHint: services.idTokens.readHint,
    records: stores.records,
    keyring,
    now: stores.now,
    platformOrigins: config.platformOrigins,
  })
  return {
    ...services,
    browser,
    renderer,
    engine,
    grantStore: stores.grants,
    outcome: metrics.tokenOutcome,
    introspected: metrics.introspected,
    operatorRefused: metrics.operatorRefused,
    userinfoRead: metrics.userinfoRead,
    signOutAsked: metrics.signOutAsked,
    isPublicOrigin: stores.isPublicOrigin,
    issuer,
    audience,
    legacyHost: legacyOrigin === null ? null : hostPattern(new URL(legacyOrigin)),
    platformOrigins: config.platformOrigins,
    legacyEnd,
    showError: renderer.error,
    answerPageText: text,
    now: stores.now,
  }
}

/** Paths for programs: errors there are JSON. */
const forProgramsOnly = /^\/(api|\.well-known|health|metrics|userinfo|sdk)(\/|\?|$)/

const wrongMethod = () =>
  new OAuthError('invalid_request', 'this path does not support the method', {
    reason: 'method',
    status: 405,
  })

/** Pages for people and endpoints that may answer with a page. They use cookies, which endpoints for apps do not. */
const forPeople =
  (
    { issuer, legacyOrigin, brand, signingKeyAhead: keyAhead }: Config,
    keyring: Keyring,
    parts: ReturnType<typeof createParts>,
  ) =>
  async (scope: FastifyInstance) => {
    const { renderer, signingKeys, installs } = parts
    await scope.register(cookie, { secret: keyring.cookieKeys })
    scope.setErrorHandler((error, request, reply) =>
      renderer.error(request, reply, publicError(error)),
    )
    await scope.register(adminFront(parts))
    await scope.register(metadata({ issuer, signingKeys, keyAhead }))
    await scope.register(revocations(parts))
    await scope.register(preflight(parts))
    await scope.register(userinfo(parts))
    await scope.register(currentAuthorize(parts))
    await scope.register(endSessionForm(parts))
    await scope.register(legacyAuthorize(parts))
    await scope.register(sdk({ ...parts, issuer, legacyOrigin }))
    await scope.register(
      pages({
        ...parts,
        brand,
        origin: issuer,
        origins: [issuer, ...(legacyOrigin ? [legacyOrigin] : [])],
        csrfKey: keyring.csrfKey,
        install: (cause, { organizationId, clientId, ...approval }) =>
          installs.install(organizationId, clientId, approval, cause),
      }),
    )
    scope.setNotFoundHandler((request, reply) => {
      if (!allowOthers(request, reply)) return renderer.notFound(request, reply)
      return forProgramsOnly.test(request.url)
        ? sendOAuthError(request, reply, wrongMethod())
        : renderer.wrongMethod(request, reply)
    })
  }

/** All endpoints of the server except its operations. */
export const registerFronts = async (
  server: FastifyInstance,
  config: Config,
  stores: Stores,
  keyring: Keyring,
  metrics: Metrics,
  services: Services,
) => {
  const parts = createParts(config, stores, keyring, metrics, services)
  server.setErrorHandler((error, request, reply) =>
    sendOAuthError(request, reply, publicError(error)),
  )
  await server.register(currentToken(parts))
  await server.register(legacyToken(parts))
  await server.register(pushedRequest(parts))
  await server.register(deviceAuthorization(parts))
  await server.register(introspect(parts))
  await server.register(revoke(parts))
  await server.register(forPeople(config, keyring, parts))
}
