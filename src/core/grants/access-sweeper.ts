// Ends what is over: installs and consents after their end, and requests that no admin has answered.
import { type AuditEvent, auditEvent, byServer } from '../audit/audit.ts'
import type { EventsFrom } from '../audit/changes.ts'
import { type EndReason, type InstallKey, installEnded } from '../organizations/install.ts'
import type { ConnectionKey } from './connections.ts'
import type { FamilyStore } from './families.ts'

/** An install that is over. */
export type OverInstall = InstallKey & { id: string; reason: EndReason }

/** A consent that is over. */
export type OverConsent = Omit<OverInstall, 'id'> & { userId: string }

export interface AccessSweepStore {
  /** Live installs that have expired, and some of those that were not used for too long; each call looks at others. */
  overInstalls(): Promise<OverInstall[]>
  /** Ends the install if it is still over, as an uninstall does. @returns false when it is not */
  endInstall(install: OverInstall, event: AuditEvent): Promise<boolean>
  overConsents(): Promise<OverConsent[]>
  /**
   * Ends the consent if it is still over, as a disconnection does.
   * @returns the ids of the ended grants; null when it is not over
   */
  endConsent(consent: OverConsent, event: AuditEvent): Promise<string[] | null>
  /** Marks requests that have waited for some days, each once. */
  remind(days: number, eventsOf: EventsFrom<readonly ConnectionKey[]>): Promise<number>
  /** Ends requests that have waited for so many days. */
  expireRequests(days: number, eventsOf: EventsFrom<readonly ConnectionKey[]>): Promise<number>
}

/** Days after which the admins are reminded of a request, and after which it ends. */
const reminderDays = 3
const requestDays = 30

const eventsOf =
  (type: 'install_request.reminded' | 'install_request.expired') =>
  (requests: readonly ConnectionKey[]) =>
    requests.map((request) => auditEvent(byServer, type, { ...request }))

/**
 * Several instances may run it at once: each end is one row that one of them changes.
 * @returns a function that runs once and resolves to the number of ends
 */
export const createAccessSweeper = (deps: {
  store: AccessSweepStore
  families: Pick<FamilyStore, 'end'>
}) => {
  const { store, families } = deps

  const endInstalls = async () => {
    let ended = 0
    for (const install of await store.overInstalls()) {
      const { organizationId, clientId, reason } = install
      const event = installEnded({ organizationId, clientId }, reason)
      if (await store.endInstall(install, event)) ended++
    }
    return ended
  }

  const endConsents = async () => {
    let ended = 0
    for (const consent of await store.overConsents()) {
      const { reason, ...about } = consent
      const event = auditEvent(byServer, 'connection.ended', { ...about, detail: { reason } })
      const grants = await store.endConsent(consent, event)
      if (grants === null) continue
      ended++
      // The rows have ended already. This only frees the space of the families.
      await Promise.allSettled(grants.map((id) => families.end(id)))
    }
    return ended
  }

  return async (): Promise<number> => {
    const ended = (await endInstalls()) + (await endConsents())
    const expired = await store.expireRequests(requestDays, eventsOf('install_request.expired'))
    await store.remind(reminderDays, eventsOf('install_request.reminded'))
    return ended + expired
  }
}
