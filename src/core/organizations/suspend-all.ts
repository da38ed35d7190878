// Every app of an organization suspended at once, and resumed.
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { EventsFrom } from '../audit/changes.ts'
import { found } from '../language/service-errors.ts'

/** An install that was suspended or resumed. */
export type SwitchedInstall = Record<'installId' | 'clientId', string>

/** How many live installs of an organization work, and how many are suspended together. */
export interface SuspensionCounts {
  active: number
  /** Suspended by `suspend`, and neither resumed nor suspended again since. */
  suspendedTogether: number
}

export interface SuspendAllStore {
  /**
   * Locks the organization as approvals do. Suspends every live install that is not suspended, or resumes those that
   * were suspended together, and stores the events, in one transaction.
   * @returns null when the organization does not exist
   */
  switchAll(
    organizationId: string,
    suspended: boolean,
    eventsOf: EventsFrom<readonly SwitchedInstall[]>,
  ): Promise<readonly SwitchedInstall[] | null>
  counts(organizationId: string): Promise<SuspensionCounts>
}

const eventsOf = (
  organizationId: string,
  suspended: boolean,
  cause: Cause,
  switched: readonly SwitchedInstall[],
): AuditEvent[] => {
  if (switched.length === 0) return []
  const [all, one] = suspended
    ? (['organization.apps_suspended', 'install.suspended'] as const)
    : (['organization.apps_resumed', 'install.resumed'] as const)
  return [
    auditEvent(cause, all, { organizationId, detail: { apps: switched.length } }),
    ...switched.map(({ installId, clientId }) =>
      auditEvent(cause, one, { organizationId, clientId, detail: { install_id: installId } }),
    ),
  ]
}

/** Suspends all apps of an organization for the time of an incident. */
export const createSuspendAll = ({ store }: { store: SuspendAllStore }) => {
  const switching = (suspended: boolean) => async (organizationId: string, cause: Cause) => {
    const events = (switched: readonly SwitchedInstall[]) =>
      eventsOf(organizationId, suspended, cause, switched)
    const switched = await store.switchAll(organizationId, suspended, events)
    return found(switched, 'organization').length
  }
  return {
    /** Suspends every installed app that works. @returns how many @throws NotFound */
    suspend: switching(true),

    /**
     * Resumes the apps that `suspend` suspended. An app that was suspended by itself stays suspended.
     * @returns how many @throws NotFound
     */
    resume: switching(false),

    counts: store.counts,
  }
}

export type SuspendAll = ReturnType<typeof createSuspendAll>
