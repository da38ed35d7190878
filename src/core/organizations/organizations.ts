import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { newId } from '../crypto/identifiers.ts'
import { nameFaults } from '../language/display-text.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { found, NotFound, refuse } from '../language/service-errors.ts'

/** A tenant. */
export interface Organization {
  id: string
  name: string
  createdAt: Date
}

export interface OrganizationStore {
  insert(
    organization: Pick<Organization, 'id' | 'name'>,
    events: readonly AuditEvent[],
  ): Promise<Organization>
  byId(id: string): Promise<Organization | null>
  list(page: PageRequest, ids: readonly string[] | null): Promise<Page<Organization>>
  /** Writes the name and the audit events only if the name changes. */
  rename(id: string, name: string, events: readonly AuditEvent[]): Promise<Organization | null>
  remove(id: string, events: readonly AuditEvent[]): Promise<boolean>
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

  /** @throws Invalid, NotFound */
  rename: async (id: string, name: string, cause: Cause): Promise<Organization> => {
    refuse(nameFaults('/name', name))
    const detail = { changed: ['name'] }
    const events = [auditEvent(cause, 'organization.changed', { organizationId: id, detail })]
    return found(await store.rename(id, name, events), 'organization')
  },

  /** Also deletes the organization's workspaces, members, installs, grants and key sets. @throws NotFound */
  remove: async (id: string, cause: Cause): Promise<void> => {
    const events = [auditEvent(cause, 'organization.deleted', { organizationId: id })]
    if (!(await store.remove(id, events))) throw new NotFound('organization')
  },
})

export type Organizations = ReturnType<typeof createOrganizations>
