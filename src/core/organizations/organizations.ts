import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import {
  type Change,
  type EventsFrom,
  eventsOfChange,
  type Patch,
  patched,
  removal,
} from '../audit/changes.ts'
import { newId } from '../crypto/identifiers.ts'
import { nameFaults } from '../language/display-text.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { anyVersion, type Precondition, type Put } from '../language/precondition.ts'
import { found, refuse } from '../language/service-errors.ts'
import { brandFaults, noBrand, type OrganizationBrand } from './organization-brand.ts'

/** A tenant. */
export interface Organization extends OrganizationBrand {
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
  remove(id: string, admit: EventsFrom<Organization>): Promise<boolean>
}

/** What an operator changes of an organization. */
export type OrganizationSettings = OrganizationBrand & Pick<Organization, 'name'>

type Decide<Current> = (current: Current) => Change<OrganizationSettings>

const settingsOf = ({ name, logoUri, accent }: OrganizationSettings): OrganizationSettings => ({
  name,
  logoUri,
  accent,
})

/** @throws Invalid */
const changed = (before: Organization, patch: Patch<OrganizationSettings>, cause: Cause) => {
  const values = patched(settingsOf(before), patch)
  refuse([...nameFaults('/name', values.name), ...brandFaults(values)])
  const about = { organizationId: before.id }
  const events = eventsOfChange(cause, 'organization.changed', settingsOf(before), values, about)
  return { values, events }
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
  list: (page: PageRequest, ids: readonly string[] | null = null) => store.list(page, ids),

  /** @throws Invalid, NotFound, PreconditionFailed */
  change: async (
    id: string,
    patch: Patch<OrganizationSettings>,
    cause: Cause,
    precondition: Precondition<Organization> = anyVersion,
  ): Promise<Organization> => {
    const organization = await store.change(id, (current) => {
      precondition(current)
      return changed(current, patch, cause)
    })
    return found(organization, 'organization')
  },

  /** Creates or renames the organization with an id of the platform. @throws Invalid, PreconditionFailed */
  put: (
    { id, name }: Pick<Organization, 'id' | 'name'>,
    cause: Cause,
    precondition: Precondition<Organization> = anyVersion,
  ): Promise<Put<Organization>> => {
    refuse(nameFaults('/name', name))
    return store.put(id, (current) => {
      precondition(current)
      if (current) return changed(current, { name }, cause)
      const events = [auditEvent(cause, 'organization.created', { organizationId: id })]
      return { values: { name, ...noBrand }, events }
    })
  },

  /**
   * Also deletes the organization's workspaces, members, installs, grants and key sets.
   * @throws NotFound, PreconditionFailed
   */
  remove: removal('organization', store.remove, (cause, { id }) =>
    auditEvent(cause, 'organization.deleted', { organizationId: id }),
  ),
})

export type Organizations = ReturnType<typeof createOrganizations>
