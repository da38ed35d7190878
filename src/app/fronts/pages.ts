// Part of the wiring (app.ts): services → pages.
import type { Browser } from '../../http/browser/browser.ts'
import { createInProcessApi } from '../../http/operator/in-process.ts'
import type { PagesDependencies } from '../../pages/pages.ts'
import type { Renderer } from '../../pages/rendering/render.ts'
import type { Foundation } from '../foundation.ts'
import { operatorHealth } from '../operator-health.ts'
import type { Services } from '../services/services.ts'

export const pagesArgument = (
  foundation: Foundation,
  services: Services,
  { browser, renderer }: { browser: Browser; renderer: Renderer },
): PagesDependencies => {
  const { config, stores, keyring, metrics, logger } = foundation
  const { issuer, legacyOrigin, brand } = config
  const { logos, now } = stores
  const shared = { ...services, browser, renderer, origin: issuer, logos, now }
  return {
    ...shared,
    brand,
    origins: [issuer, ...(legacyOrigin ? [legacyOrigin] : [])],
    csrfKey: keyring.csrfKey,
    signIn: { ...shared, signOutRequested: metrics.signOutRequested },
    account: shared,
    authorization: {
      ...shared,
      mails: config.mail !== null,
      install: (cause, { organizationId, clientId, ...approval }) =>
        services.installs.install(organizationId, clientId, approval, cause),
    },
    organization: shared,
    developer: { ...shared, oneTimeSecrets: services.oneTimeAppSecrets },
    operator: {
      ...shared,
      oneTimeSecrets: services.oneTimeOperatorSecrets,
      callApi: createInProcessApi(services, logger),
      health: operatorHealth(foundation),
    },
  }
}
