// Part of the wiring (app.ts): records of requests that are written later, in batches.
import { createAuditTrail } from '../../core/audit/audit.ts'
import { createLastUsed } from '../../core/audit/last-used.ts'
import { createRefusedPages } from '../../core/audit/refused-pages.ts'
import { createUsage } from '../../core/audit/usage.ts'
import { createDigestRenewal } from '../../core/credentials/digest-renewal.ts'
import type { Foundation } from '../foundation.ts'

export const createRecords = ({ stores, keyring, metrics, logger }: Foundation) => {
  const audit = createAuditTrail(stores.audit, (count, cause) => {
    metrics.auditLost(count)
    logger.error({ count, cause: String(cause) }, 'audit events lost')
  })
  const refusedPages = createRefusedPages(
    stores.refusedPages,
    (count, cause) => logger.warn({ count, cause: String(cause) }, 'refused pages not recorded'),
    stores.now,
  )
  const lastUsed = createLastUsed(stores.grants, (err) =>
    logger.warn({ err }, 'last use not recorded'),
  )
  const digests = createDigestRenewal({
    store: stores.masterKeyStore,
    keyring,
    onError: (err) => logger.warn({ err }, 'digests not migrated to the current master key'),
  })
  const usage = createUsage({
    store: stores.usage,
    now: stores.now,
    onLost: (count, cause) => logger.warn({ count, cause: String(cause) }, 'requests not counted'),
  })
  return {
    audit,
    refusedPages,
    lastUsed,
    digests,
    usage,
    /** Writes the buffered records. */
    closeRecords: async () => {
      for (const one of [audit, refusedPages, lastUsed, digests, usage]) await one.close()
    },
  }
}

export type Records = ReturnType<typeof createRecords>
