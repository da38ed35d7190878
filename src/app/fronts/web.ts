// Part of the wiring (app.ts): endpoints other than pages that browsers and anonymous programs call.
import type { FastifyInstance } from 'fastify'
import type { Browser } from '../../http/browser/browser.ts'
import { currentAuthorize } from '../../http/current/authorize.ts'
import { endSessionForm } from '../../http/current/end-session.ts'
import type { Engine } from '../../http/current/engine/engine.ts'
import { userinfo } from '../../http/current/userinfo.ts'
import { legacyAuthorize } from '../../http/legacy/authorize.ts'
import { metadata } from '../../http/oauth/metadata.ts'
import { preflight } from '../../http/oauth/preflight.ts'
import { revocations } from '../../http/oauth/revocations.ts'
import { sdk } from '../../http/sdk/sdk.ts'
import { textOf } from '../../pages/rendering/reader-text.ts'
import type { Renderer } from '../../pages/rendering/render.ts'
import type { Foundation } from '../foundation.ts'
import type { Services } from '../services/services.ts'
import { legacyHostOf } from './legacy-host.ts'

export const registerWebFronts = async (
  scope: FastifyInstance,
  { config, stores, metrics }: Foundation,
  services: Services,
  { engine, browser, renderer }: { engine: Engine; browser: Browser; renderer: Renderer },
) => {
  const { limits, audit, consents, standings, requests, issuance, accessTokens, usage, dpop } =
    services
  const { signingKeys, revocationFeed, resourceServers, catalogue } = services
  const { issuer, legacyOrigin, legacyEnd, platformOrigins, signingKeyAhead, brand } = config
  const { isPublicOrigin } = stores
  const showError = renderer.error
  const authorize = { consents, requests, limits, browser, answerPageText: textOf, showError }

  const documents = { issuer, signingKeys, catalogue, keyAhead: signingKeyAhead }
  await scope.register(metadata({ ...documents, links: brand.links }))
  await scope.register(revocations({ revocationFeed, resourceServers, limits, audit }))
  await scope.register(preflight({ isPublicOrigin }))
  await scope.register(
    userinfo({
      userinfo: services.userinfo,
      dpop,
      isPublicOrigin,
      userinfoRead: metrics.userinfoRead,
    }),
  )
  await scope.register(
    currentAuthorize({
      ...authorize,
      standings,
      issuer,
      engine,
      documentRequests: services.documentRequests,
    }),
  )
  await scope.register(endSessionForm({ showError }))
  await scope.register(
    legacyAuthorize({
      ...authorize,
      issuance,
      accessTokens,
      lifetimes: config.tokenLifetimes,
      usage,
      legacyHost: legacyHostOf(legacyOrigin),
      legacyEnd,
      platformOrigins,
    }),
  )
  await scope.register(sdk({ consents, issuer, legacyOrigin, platformOrigins }))
}
