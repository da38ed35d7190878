// Part of the wiring (app.ts): services → pages.
import type { Health } from '../../pages/operator/gate.ts'
import type { PagesDependencies } from '../../pages/pages.ts'
import type { Foundation } from '../foundation.ts'
import type { Services } from '../services/services.ts'
import { versionOf } from '../version.ts'

const checkStores =
  ({ stores: { checks } }: Pick<Foundation, 'stores'>) =>
  async (): Promise<Health['stores']> => {
    const settled = await Promise.allSettled(Object.values(checks).map((check) => check()))
    const isUp = (at: number) => settled[at]?.status === 'fulfilled'
    return Object.keys(checks).map((name, at) => ({ name, isUp: isUp(at) }))
  }

/** The state of the server, for the operator's console. */
const operatorHealth =
  ({ stores }: Pick<Foundation, 'stores'>) =>
  async (): Promise<Health> => {
    const [states, migration, { waiting }] = await Promise.all([
      checkStores({ stores })(),
      stores.latestMigration(),
      stores.webhookOutbox.backlog(),
    ])
    return {
      stores: states,
      warnings: stores.warnings(),
      waitingWebhooks: waiting,
      migration,
      version: versionOf(),
    }
  }

export const pagesArgument = (
  foundation: Foundation,
  services: Services,
  { browser, renderer, callApi }: Pick<PagesDependencies, 'browser' | 'renderer' | 'callApi'>,
): PagesDependencies => {
  const { config, stores, keyring, metrics } = foundation
  const { issuer, legacyOrigin, place } = config
  const { logos, now } = stores
  return {
    ...services,
    ...{ browser, renderer, callApi, logos, now, issuer },
    origin: place.base,
    origins: [new URL(issuer).origin, ...(legacyOrigin ? [legacyOrigin] : [])],
    csrfKey: keyring.csrfKey,
    signOutRequested: metrics.signOutRequested,
    checkStores: checkStores(foundation),
    health: operatorHealth(foundation),
    deletionCounts: stores.deletionCounts,
  }
}
