// Part of the wiring (app.ts): work outside requests.
import { ocsfOf } from '../core/audit-streams/ocsf.ts'
import { createStreamDelivery } from '../core/audit-streams/stream-delivery.ts'
import { createDocumentRefresh } from '../core/client-documents/document-refresh.ts'
import { newId } from '../core/crypto/identifiers.ts'
import { createAccessSweeper } from '../core/grants/access-sweeper.ts'
import { silentEvent } from '../core/introspection/stops.ts'
import { periodically } from '../core/limits/periodically.ts'
import { createLogoFetch } from '../core/logos/logo-fetch.ts'
import { createEncodeLogo } from '../core/logos/logo-image.ts'
import { createMailDelivery, type MailDelivery } from '../core/notifications/mail-delivery.ts'
import { createReminders } from '../core/notifications/reminders.ts'
import { normaliseEmail } from '../core/people/email-address.ts'
import { createWebhookDelivery } from '../core/webhooks/delivery.ts'
import { createWebhookSender } from '../core/webhooks/sender.ts'
import { createMailMessages } from '../http/mail/mail-message.ts'
import { auditEventJson } from '../http/operator/reports/audit.ts'
import type { Foundation } from './foundation.ts'
import type { Services } from './services/services.ts'

const sweepEvery = 60_000 // ms
/** Access that an admin has shortened ends this much later at data APIs that do not introspect. */
const endEvery = 5000 // ms

const silentEvery = 10_000 // ms

/** Reads the metadata documents of apps again. */
const startDocumentRefresh = (
  { stores, logger }: Foundation,
  { apps, catalogue, readDocument }: Services,
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

/** Fetches the logos of apps and organizations. */
const startLogos = ({ stores, logger }: Foundation, { fetchDocument }: Services) =>
  createLogoFetch({
    store: stores.logos,
    fetchDocument,
    loadEncoder: createEncodeLogo(),
    now: stores.now,
    onRefused: (reason, { owner, id }) =>
      logger.info(
        { [owner === 'app' ? 'clientId' : 'organizationId']: id, reason },
        'logo not fetched',
      ),
    onUnsupported: () =>
      logger.warn('logos are off: the image library (sharp) has no build for this platform'),
    onError: (err) => logger.warn({ err }, 'logos not fetched'),
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
      metrics.webhooks.tried(outcome)
      logger.debug({ webhookId, id, type, attempts, attempt, outcome }, 'webhook')
    },
    onBacklog: metrics.webhooks.waiting,
    onError: (err) => logger.warn({ err }, 'webhooks not sent'),
  })

/** Pushes the audit trail to its receivers. */
const startStreams = ({ config, stores, keyring, metrics, logger }: Foundation) =>
  createStreamDelivery({
    outbox: stores.streamOutbox,
    keyring,
    send: createWebhookSender({ ...config.outbound, now: stores.now }),
    lineOf: {
      latchkey: (event) => JSON.stringify(auditEventJson(event)),
      ocsf: (event) => JSON.stringify(ocsfOf(event)),
    },
    newMessageId: () => newId('webhookMessage'),
    now: stores.now,
    onAttempt: ({ id, attempts }, attempt, outcome) => {
      metrics.streams.tried(outcome)
      logger.debug({ auditStreamId: id, attempts, attempt, outcome }, 'audit stream')
    },
    onBacklog: metrics.streams.waiting,
    onError: (err) => logger.warn({ err }, 'audit trail not pushed'),
  })

/** Sends mails, if the operator has configured a server for them. */
const startMails = (
  { config, stores, metrics, logger }: Foundation,
  { mailChoices, passwordLinks }: Services,
): MailDelivery | null => {
  const { mail, place, brand, defaultLanguage } = config
  if (mail === null) return null
  const messageOf = createMailMessages({
    base: place.base,
    brand: brand.name,
    defaultLanguage,
    mailChoices,
    passwordLinks,
  })
  // Loaded only where mails are sent.
  const loading = import('../http/mail/mail-sender.ts').then(({ createMailSender }) =>
    createMailSender(mail),
  )
  /** Why the SMTP server cannot be used, which is logged once. */
  let outage: string | null = null
  const delivery = createMailDelivery({
    outbox: stores.mailOutbox,
    send: async (mails) => {
      const sender = await loading
      try {
        return await sender.send(messageOf(mails))
      } catch (err) {
        logger.error({ err, types: mails.map(({ type }) => type) }, 'mail not composed')
        return { kind: 'deferred', fault: 'not_composed' }
      }
    },
    uptime: () => performance.now(),
    random: Math.random,
    onAttempt: (mails, attempt, state) => {
      const outcome = typeof state === 'string' ? state : 'retried'
      metrics.mails.tried(outcome)
      const fault = attempt.kind === 'sent' ? null : attempt.fault
      const about = { userId: mails[0].recipient.id, types: mails.map(({ type }) => type), fault }
      if (attempt.kind === 'away' && fault !== outage)
        logger.warn({ fault }, 'mails wait, because the SMTP server cannot be used')
      if (attempt.kind !== 'away' && outage !== null)
        logger.info('the SMTP server can be used again')
      outage = attempt.kind === 'away' ? attempt.fault : null
      if (outcome === 'given_up') logger.warn(about, 'mail given up')
      else logger.debug({ ...about, outcome }, 'mail')
    },
    onBacklog: metrics.mails.waiting,
    onError: (err) => logger.warn({ err }, 'mails not sent'),
  })
  return {
    close: async () => {
      await delivery.close()
      ;(await loading).close()
    },
  }
}

const reportLongApps = async ({ logger }: Foundation, { apps }: Services) => {
  const clientIds = (await apps.listTooLong()).map(({ clientId }) => clientId)
  if (clientIds.length > 0)
    logger.warn(
      { clientIds },
      'the permissions of these apps are too long for a token: register fewer, or the apps get none without a narrower scope',
    )
}

/** Names the accounts whose address has no form that people can sign in with, or that of another account. */
const listOldSpellings = ({ stores, logger }: Foundation) =>
  stores.oldSpellings
    .list(normaliseEmail)
    .then((accounts) => {
      const message = 'accounts whose e-mail address is not in the stored form: give them another'
      if (accounts.length > 0) logger.warn({ accounts }, message)
    })
    .catch((err) => logger.warn({ err }, 'accounts not compared'))

/** Work outside requests that one instance is enough for. Several instances may run it at once without harm. */
export const startBackgroundJobs = (foundation: Foundation, services: Services) => {
  const { config, stores, metrics, logger } = foundation
  const webhooks = startWebhooks(foundation)
  const streams = startStreams(foundation)
  const documents = startDocumentRefresh(foundation, services)
  const mails = startMails(foundation, services)
  const reminders = createReminders({
    store: stores.reminders,
    withMails: config.mail !== null,
    onError: (err) => logger.warn({ err }, 'reminders not given'),
  })
  const logos = startLogos(foundation, services)
  const ending = periodically({
    every: endEvery,
    run: createAccessSweeper({ store: stores.accessSweeper, families: stores.families }),
    onError: (err) => logger.warn({ err }, 'expired access not ended'),
  })
  const listening = periodically({
    every: silentEvery,
    run: () => stores.stops.reportSilent(silentEvent),
    onError: (err) => logger.warn({ err }, 'silent readers of the feed not reported'),
  })
  const cleaning = periodically({
    every: sweepEvery,
    run: async () => {
      await stores.removeExpired()
      metrics.stores.cleanedUp(true)
    },
    onError: (err) => {
      metrics.stores.cleanedUp(false)
      logger.warn({ err }, 'expired rows not removed')
    },
  })
  // Failed work is repeated by the next start or by `latchkey keys reseal`. With one key there is nothing to do.
  if (stores.masterKeys.length > 1)
    services.masterKeys
      .reseal()
      .catch((err) => logger.warn({ err }, 'data of older master keys not encrypted again'))
  reportLongApps(foundation, services).catch((err) =>
    logger.warn({ err }, 'apps with long permissions not read'),
  )
  void listOldSpellings(foundation)
  logger.debug('runs background jobs')
  const jobs = [webhooks, streams, documents, mails, reminders, logos, ending, listening, cleaning]
  return { close: () => Promise.all(jobs.map((job) => job?.close())) }
}
