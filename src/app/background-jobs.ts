// Part of the wiring (app.ts): work outside requests.
import { createAccessSweeper } from '../core/authorization/access-sweeper.ts'
import { createDocumentRefresh } from '../core/client-documents/document-refresh.ts'
import { createWebhookDelivery } from '../core/webhooks/delivery.ts'
import { createWebhookSender } from '../core/webhooks/sender.ts'
import type { Foundation } from './foundation.ts'
import type { Services } from './services/services.ts'

const sweepEvery = 60_000 // ms
/** Access that an admin has shortened ends this much later at data APIs that do not introspect. */
const endEvery = 5000 // ms

/** Reads the metadata documents of apps again. */
const startDocumentRefresh = (
  { stores, logger }: Foundation,
  { apps, catalogue, readDocument }: Pick<Services, 'apps' | 'catalogue' | 'readDocument'>,
) =>
  createDocumentRefresh({
    store: stores.clientDocuments,
    hosts: stores.clientHosts,
    reviews: stores.appReviews,
    apps,
    catalogue,
    readDocument,
    onRefused: ({ reason, faults }, clientId) =>
      logger.info({ clientId, reason, faults }, 'refused a metadata document; its app stays'),
    onError: (err) => logger.warn({ err }, 'metadata documents not read again'),
  })

const startWebhooks = ({ config, stores, keyring, metrics, logger }: Foundation) =>
  createWebhookDelivery({
    outbox: stores.webhookOutbox,
    keyring,
    send: createWebhookSender({ ...config.outbound, now: stores.now }),
    now: stores.now,
    random: Math.random,
    onAttempt: ({ webhookId, id, type, attempts }, attempt, state) => {
      const outcome = typeof state === 'string' ? state : 'retried'
      metrics.webhookTried(outcome)
      logger.debug({ webhookId, id, type, attempts, attempt, outcome }, 'webhook')
    },
    onBacklog: metrics.webhooksWaiting,
    onError: (err) => logger.warn({ err }, 'webhooks not sent'),
  })

/** Work outside requests that one instance is enough for. Several instances may run it at once without harm. */
export const startBackgroundJobs = (
  foundation: Foundation,
  services: Pick<Services, 'masterKeys' | 'apps' | 'catalogue' | 'readDocument'>,
) => {
  const { stores, metrics, logger } = foundation
  const webhooks = startWebhooks(foundation)
  const documents = startDocumentRefresh(foundation, services)
  const cleanUp = () =>
    stores.removeExpired().then(
      () => metrics.stores.cleanedUp(true),
      (err) => {
        metrics.stores.cleanedUp(false)
        logger.warn({ err }, 'expired rows not removed')
      },
    )
  const endAccess = createAccessSweeper({ store: stores.accessSweeper, families: stores.families })
  let isEnding = false
  const ending = setInterval(() => {
    if (isEnding) return
    isEnding = true
    endAccess()
      .catch((err) => logger.warn({ err }, 'expired access not ended'))
      .finally(() => {
        isEnding = false
      })
  }, endEvery)
  ending.unref()
  const cleaning = setInterval(() => void cleanUp(), sweepEvery)
  cleaning.unref()
  // Failed work is repeated by the next start or by `latchkey keys reseal`. With one key there is nothing to do.
  if (stores.masterKeys.length > 1)
    services.masterKeys
      .reseal()
      .catch((err) => logger.warn({ err }, 'data of older master keys not encrypted again'))
  logger.debug('runs background jobs')
  return {
    close: async () => {
      clearInterval(cleaning)
      clearInterval(ending)
      await Promise.all([webhooks.close(), documents.close()])
    },
  }
}
