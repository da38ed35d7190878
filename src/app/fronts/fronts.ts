// Part of the wiring (app.ts): services → fronts. All fronts get the services, and each sees what its type declares.
import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { OAuthError } from '../../core/language/errors.ts'
import { createBrowser } from '../../http/browser/browser.ts'
import { leadToIssuerName } from '../../http/browser/issuer-name.ts'
import { createEngine } from '../../http/current/engine/engine.ts'
import { answerErrors, sendOAuthError } from '../../http/oauth/oauth-errors.ts'
import { operatorFront } from '../../http/operator/front.ts'
import { createInProcessApi } from '../../http/operator/in-process.ts'
import { scimFront } from '../../http/scim/front.ts'
import { allowOthers } from '../../http/server/allowed-methods.ts'
import { unsubscribe } from '../../pages/account/unsubscribe.ts'
import { pages } from '../../pages/pages.ts'
import { setDefaultLanguage } from '../../pages/rendering/reader-text.ts'
import { createRenderer } from '../../pages/rendering/render.ts'
import type { Foundation } from '../foundation.ts'
import type { Services } from '../services/services.ts'
import { versionOf } from '../version.ts'
import { registerClientEndpoints, registerWebEndpoints } from './endpoints.ts'
import { pagesArgument } from './pages.ts'

/** Paths for programs: errors there are JSON. */
const forProgramsOnly = /^\/(api|\.well-known|health|metrics|userinfo|sdk|scim|schemas)(\/|\?|$)/

/** What pages show, without being a page. */
const partOfPages = /^\/((assets|logos|docs\/images)\/|favicon\.ico|apple-touch-icon)/

const wrongMethod = () =>
  new OAuthError('invalid_request', 'this path does not support the method', {
    reason: 'method',
    status: 405,
  })

/** Pages for people and endpoints that may answer with a page. They use cookies, which endpoints for apps do not. */
const webScope =
  (foundation: Foundation, services: Services, engine: ReturnType<typeof createEngine>) =>
  async (scope: FastifyInstance) => {
    const { config, stores, keyring, metrics } = foundation
    const { issuer, place, brand } = config
    const { organizations } = stores
    const { securityNotices, refusedPages, scimUsers: users, scimGroups: groups } = services
    leadToIssuerName(scope, {
      ...config,
      isPage: (target) => !forProgramsOnly.test(target) && !partOfPages.test(target),
    })
    setDefaultLanguage(scope, config.defaultLanguage)
    const browser = createBrowser(services.sessions, issuer.startsWith('https:'), place.prefix)
    const renderer = createRenderer(brand, browser, securityNotices, organizations, refusedPages)
    await scope.register(cookie, { secret: keyring.cookieKeys })
    answerErrors(scope, renderer.error)
    const { operatorRefused } = metrics
    const callApi = createInProcessApi(services, foundation.logger)
    const [issuerPath, version] = [place.prefix, versionOf()]
    await scope.register(
      operatorFront({ ...services, callApi, operatorRefused, issuerPath, version }),
    )
    await scope.register(
      scimFront({ ...services, issuer: place.base, users, groups, refused: operatorRefused }),
    )
    await registerWebEndpoints(scope, foundation, services, { engine, browser, renderer })
    if (config.mail) await scope.register(unsubscribe({ ...services, renderer }))
    await scope.register(pages(pagesArgument(foundation, services, { callApi, browser, renderer })))
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
  foundation: Foundation,
  services: Services,
) => {
  const { config, stores, keyring } = foundation
  const engine = createEngine(config.issuer, {
    findApp: stores.consents.findApp,
    issueCode: services.issuance.issueCode,
    readIdTokenHint: services.idTokens.readHint,
    targets: services.targets,
    records: stores.records,
    keyring,
    now: stores.now,
    platformOrigins: config.platformOrigins,
    lifetimes: config.tokenLifetimes,
  })
  answerErrors(server, sendOAuthError)
  await registerClientEndpoints(server, foundation, services, engine)
  await server.register(webScope(foundation, services, engine))
}
