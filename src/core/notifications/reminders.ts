import { type AuditEvent, auditEvent, byServer } from '../audit/audit.ts'
import type { EventsFrom } from '../audit/changes.ts'
import { periodically } from '../limits/periodically.ts'

/** An active secret that ends soon. */
export interface EndingSecret {
  kind: 'app' | 'key_set'
  id: string
  clientId: string
  /** The organization of a key set; null: the secret of an app. */
  organizationId: string | null
  expiresAt: Date
  /** The reminder: 30, 7 or 1. */
  days: number
}

export interface ReminderStore {
  /**
   * Takes secrets whose next reminder is due, and writes the events of them; each reminder is taken once, on any
   * instance.
   * @returns their number
   */
  endingSecrets(most: number, eventsOf: EventsFrom<readonly EndingSecret[]>): Promise<number>
  /**
   * Queues a mail for each app that an organization has not used for 90 days.
   * @param after the last install of the page before; '' for the first page
   * @returns the last install of this page; null after the last page
   */
  unusedApps(after: string, most: number): Promise<string | null>
  /** Queues a mail for each app with owners that is refused far more often than in the week before. */
  risingRefusals(): Promise<void>
}

const secretsAtOnce = 200
const installsAtOnce = 200
const every = 60_000 // ms
/** Rounds between two looks at refusals, which are counted by day. */
const refusalRounds = 10

const eventsOf = (secrets: readonly EndingSecret[]): AuditEvent[] =>
  secrets.map(({ kind, id, clientId, organizationId, expiresAt, days }) =>
    auditEvent(byServer, 'secret.expiring', {
      clientId,
      organizationId,
      detail: { secret_id: id, kind, days, expires_at: expiresAt.toISOString() },
    }),
  )

/**
 * Finds what needs a reminder, in the background. Any number of instances may run it.
 * @param withMails false: only the events of secrets, which webhooks report
 */
export const createReminders = (deps: {
  store: ReminderStore
  withMails: boolean
  onError(error: unknown): void
}) => {
  const { store, withMails, onError } = deps
  let round = 0
  let place = ''

  /** One round: everything that is due, and one page of unused apps. */
  const run = async () => {
    while ((await store.endingSecrets(secretsAtOnce, eventsOf)) === secretsAtOnce);
    if (!withMails) return
    place = (await store.unusedApps(place, installsAtOnce)) ?? ''
    if (round++ % refusalRounds === 0) await store.risingRefusals()
  }

  return { run, close: periodically({ every, run, onError }).close }
}
