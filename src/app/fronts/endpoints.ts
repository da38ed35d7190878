// Part of the wiring (app.ts): services → OAuth endpoints.
import type { FastifyInstance } from 'fastify'
import type { Browser } from '../../http/browser/browser.ts'
import { currentAuthorize } from '../../http/current/authorize.ts'
import { deviceAuthorization } from '../../http/current/device-authorization.ts'
import { endSessionForm } from '../../http/current/end-session.ts'
import type { Engine } from '../../http/current/engine/engine.ts'
import { pushedRequest } from '../../http/current/pushed-request.ts'
import { currentToken } from '../../http/current/token.ts'
import { userinfo } from '../../http/current/userinfo.ts'
import { legacyAuthorize } from '../../http/legacy/authorize.ts'
import { legacyToken } from '../../http/legacy/token.ts'
import { introspect } from '../../http/oauth/introspect.ts'
import { metadata } from '../../http/oauth/metadata.ts'
import { preflight } from '../../http/oauth/preflight.ts'
import { revocations } from '../../http/oauth/revocations.ts'
import { revoke } from '../../http/oauth/revoke.ts'
import { sdk } from '../../http/sdk/sdk.ts'
import { textOf } from '../../pages/rendering/reader-text.ts'
import type { Renderer } from '../../pages/rendering/render.ts'
import type { Foundation } from '../foundation.ts'
import type { Services } from '../services/services.ts'

/** Matches a Host header as clients may send it (RFC 9110 §4.2.3): in any case, with or without the default port. */
const hostPattern = ({ host, port, protocol }: URL): RegExp => {
  const escaped = host.replaceAll(/[^\w-]/g, '\\$&')
  const usual = protocol === 'https:' ? 443 : 80
  return new RegExp(`^${escaped}${port === '' ? `(?::${usual})?` : ''}$`, 'i')
}

/** The Host on which a legacy endpoint answers; null: every Host. */
const legacyHostOf = (origin: string | null): RegExp | null =>
  origin === null ? null : hostPattern(new URL(origin))

/** The endpoints that clients and resource servers call, without cookies. */
export const registerClientEndpoints = async (
  server: FastifyInstance,
  { config, stores, metrics }: Foundation,
  services: Services,
  engine: Engine,
) => {
  const { issuer, place, audience, legacyApiOrigin, legacyEnd } = config
  const { tokenOutcome: outcome, introspected } = metrics
  const { isPublicOrigin } = stores
  const shared = { ...services, engine, issuer, audience, isPublicOrigin, outcome, introspected }
  const legacyHost = legacyHostOf(legacyApiOrigin)
  const legacy = legacyToken({ ...shared, legacyHost, legacyEnd })
  const { findApp } = stores.consents
  await server.register(currentToken({ ...shared, findApp, legacy }))
  await server.register(legacy)
  await server.register(pushedRequest(shared))
  await server.register(deviceAuthorization({ ...shared, issuer: place.base }))
  await server.register(introspect(shared))
  await server.register(revoke(shared))
}

/** The endpoints other than pages that browsers and anonymous programs call. */
export const registerWebEndpoints = async (
  scope: FastifyInstance,
  { config, stores, metrics }: Foundation,
  services: Services,
  { engine, browser, renderer }: { engine: Engine; browser: Browser; renderer: Renderer },
) => {
  const { issuer, place, legacyOrigin, legacyEnd, platformOrigins, brand } = config
  const shared = {
    ...services,
    engine,
    browser,
    issuer,
    place,
    legacyOrigin,
    platformOrigins,
    isPublicOrigin: stores.isPublicOrigin,
    userinfoRead: metrics.userinfoRead,
    now: stores.now,
    answerPageText: textOf,
    showError: renderer.error,
  }
  const { signingKeyAhead: keyAhead, tokenLifetimes: lifetimes } = config
  const legacyHost = legacyHostOf(legacyOrigin)
  const oldKeys = services.verificationKeys.published
  await scope.register(metadata({ ...shared, keyAhead, links: brand.links, oldKeys }))
  await scope.register(revocations(shared))
  await scope.register(preflight(shared))
  await scope.register(userinfo(shared))
  const legacy = legacyAuthorize({ ...shared, legacyHost, legacyEnd, lifetimes })
  await scope.register(currentAuthorize({ ...shared, legacy }))
  await scope.register(endSessionForm(shared))
  await scope.register(legacy)
  await scope.register(sdk(shared))
}
