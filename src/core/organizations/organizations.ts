import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { Change } from '../audit/changes.ts'
import { newId } from '../crypto/identifiers.ts'
import { nameFaults } from '../language/display-text.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { anyVersion, type Precondition, type Put } from '../language/precondition.ts'
import { found, NotFound, refuse } from '../language/service-errors.ts'

/** A tenant. */
export interface Organization {
  id: string
  name: string
  /** An owner of apps tries them here. */
  sandbox: boolean
  createdAt: Date
}

export interface OrganizationStore {
  insert(
    organization: Pick<Organization, 'id' | 'name'>,
    events: readonly AuditEvent[],
  ): Promise<Organization>
  byId(id: string): Promise<Organization | null>
  list(page: PageRequest, ids: readonly string[] | null): Promise<Page<Organization>>
  /** Locks the organization, calls `decide` and writes. */
  change(id: string, decide: Decide<Organization>): Promise<Organization | null>
  /** The same, and inserts the organization when there is none: `decide` then gets null. */
  put(id: string, decide: Decide<Organization | null>): Promise<Put<Organization>>
  /** Locks the organization and calls `admit`, which may throw. */
  remove(id: string, admit: (organization: Organization) => readonly AuditEvent[]): Promise<boolean>
}

type Decide<Current> = (current: Current) => Change<Pick<Organization, 'name'>>

const renamed = (id: string, before: string, name: string, cause: Cause) => {
  const about = { organizationId: id, detail: { changed: ['name'] } }
  const events = before === name ? [] : [auditEvent(cause, 'organization.changed', about)]
  return { values: { name }, events }
}

export const createOrganizations = ({ store }: { store: OrganizationStore }) => ({
  /** @throws Invalid */
  create: async (name: string, cause: Cause): Promise<Organization> => {
    refuse(nameFaults('/name', name))
    const id = newId('organization')
    const events = [auditEvent(cause, 'organization.created', { organizationId: id })]
    return store.insert({ id, name }, events)
  },

  /** @throws NotFound */
  read: async (id: string): Promise<Organization> => found(await store.byId(id), 'organization'),

  /** Oldest first. @param ids only these; null: all */
  list: (page: PageRequest, ids: readonly string[] | null = null): Promise<Page<Organization>> =>
    store.list(page, ids),

  /** @param name undefined: stays @throws Invalid, NotFound, PreconditionFailed */
  rename: async (
    id: string,
    name: string | undefined,
    cause: Cause,
    precondition: Precondition<Organization> = anyVersion,
  ): Promise<Organization> => {
    if (name !== undefined) refuse(nameFaults('/name', name))
    const organization = await store.change(id, (current) => {
      precondition(current)
      return renamed(id, current.name, name ?? current.name, cause)
    })
    return found(organization, 'organization')
  },

  /** Creates or renames the organization with an id of the platform. @throws Invalid, PreconditionFailed */
  put: (
    id: string,
    name: string,
    cause: Cause,
    precondition: Precondition<Organization> = anyVersion,
  ): Promise<Put<Organization>> => {
    refuse(nameFaults('/name', name))
    return store.put(id, (current) => {
      precondition(current)
      if (current) return renamed(id, current.name, name, cause)
      const events = [auditEvent(cause, 'organization.created', { organizationId: id })]
      return { values: { name }, events }
    })
  },

  /**
   * Also deletes the organization's workspaces, members, installs, grants and key sets.
   * @throws NotFound, PreconditionFailed
   */
  remove: async (
    id: string,
    cause: Cause,
    precondition: Precondition<Organization> = anyVersion,
  ): Promise<void> => {
    const removed = await store.remove(id, (current) => {
      precondition(current)
      return [auditEvent(cause, 'organization.deleted', { organizationId: id })]
    })
    if (!removed) throw new NotFound('organization')
  },
})

export type Organizations = ReturnType<typeof createOrganizations>
