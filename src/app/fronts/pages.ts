// Part of the wiring (app.ts): services → pages.
import { readFileSync } from 'node:fs'
import type { Browser } from '../../http/browser/browser.ts'
import { createInProcessApi } from '../../http/operator/in-process.ts'
import type { Health } from '../../pages/operator/gate.ts'
import type { PagesDependencies } from '../../pages/pages.ts'
import type { Renderer } from '../../pages/rendering/render.ts'
import type { Foundation } from '../foundation.ts'
import type { Services } from '../services/services.ts'

const versionOf = () => {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** The state of the stores, for the operator's console. */
const operatorHealth =
  ({ stores }: Pick<Foundation, 'stores'>) =>
  async (): Promise<Health> => {
    const names = Object.keys(stores.checks)
    const settled = await Promise.allSettled(Object.values(stores.checks).map((check) => check()))
    const [migration, { waiting }] = await Promise.all([
      stores.latestMigration(),
      stores.webhookOutbox.backlog(),
    ])
    return {
      stores: names.map((name, at) => ({ name, isUp: settled[at]?.status === 'fulfilled' })),
      warnings: stores.warnings(),
      waitingWebhooks: waiting,
      migration,
      version: versionOf(),
    }
  }

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
      install: (cause, approval) => services.installs.install(approval, cause),
      installForSelf: (cause, person) => services.installs.installForSelf(person, cause),
    },
    organization: shared,
    developer: { ...shared, oneTimeSecrets: services.oneTimeAppSecrets },
    operator: {
      ...shared,
      oneTimeSecrets: services.oneTimeOperatorSecrets,
      callApi: createInProcessApi(services, logger),
      health: operatorHealth(foundation),
      deletionCounts: stores.deletionCounts,
    },
  }
}
