import type { Named } from '../audit/activity.ts'
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { found } from '../language/service-errors.ts'
import type { AudienceReason } from '../organizations/audience.ts'
import type { InstallKey } from '../organizations/install.ts'
import type { FamilyStore } from './families.ts'

/** A member of the organization, and how they stand to an install. */
export interface AudiencePerson {
  userId: string
  name: string
  email: string
  reason: AudienceReason
}

type PersonKey = InstallKey & { userId: string }

export interface AudiencePeopleStore {
  /** The groups of the directory, by name. */
  groups(organizationId: string): Promise<Named[]>
  /** Users by name; unknown ones are left out. */
  users(ids: readonly string[]): Promise<Named[]>
  /** All members, by name. @returns null without a live install */
  list(install: InstallKey, search: PageRequest): Promise<Page<AudiencePerson> | null>
  /** The members of the organization, and those of them whom it is for. @returns null without a live install */
  size(install: InstallKey): Promise<Record<'inside' | 'members', number> | null>
  /**
   * Locks the organization, denies the member the app and ends their connection.
   * @returns `ended`: ids of the grants; `isNew`: the person was not denied before; null without a live install, and for a
   * user who is neither a member nor denied
   */
  deny(
    person: PersonKey,
    events: Record<'denied' | 'ended', AuditEvent>,
  ): Promise<{ isNew: boolean; ended: string[] } | null>
  /** @returns null without a live install */
  admit(person: PersonKey, event: AuditEvent): Promise<boolean | null>
}

/** The people of an organization as an install is for them or not, and those whom an admin has denied the app. */
export const createAudiencePeople = (deps: {
  store: AudiencePeopleStore
  families: Pick<FamilyStore, 'end'>
}) => {
  const { store, families } = deps
  return {
    /** The groups of the directory, by name. */
    groups: store.groups,

    /** Those of these users that exist, by name. */
    users: store.users,

    /** All members, by name. @throws NotFound */
    list: async (install: InstallKey, search: PageRequest) =>
      found(await store.list(install, search), 'install'),

    /** @throws NotFound */
    size: async (install: InstallKey) => found(await store.size(install), 'install'),

    /**
     * Ends the person's access to the app for good. They cannot allow it again until `admit`.
     * @returns false when they were denied before
     * @throws NotFound
     */
    deny: async (person: PersonKey, cause: Cause): Promise<boolean> => {
      const denied = auditEvent(cause, 'install.person_denied', person)
      const ended = auditEvent(cause, 'connection.ended', person)
      const denial = found(await store.deny(person, { denied, ended }), 'install or member')
      // The rows have ended already, on every instance. This only frees the space of the families.
      await Promise.allSettled(denial.ended.map((id) => families.end(id)))
      return denial.isNew
    },

    /** Takes a denial back; nothing happens without one. What has ended stays so. @throws NotFound */
    admit: async (person: PersonKey, cause: Cause): Promise<void> => {
      found(
        await store.admit(person, auditEvent(cause, 'install.person_admitted', person)),
        'install',
      )
    },
  }
}

export type AudiencePeople = ReturnType<typeof createAudiencePeople>
