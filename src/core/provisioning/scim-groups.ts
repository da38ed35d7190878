import type { AuditEvent, Cause } from '../audit/audit.ts'
import { newId } from '../crypto/identifiers.ts'
import { nameFaults } from '../language/display-text.ts'
import { groupedBy } from '../language/grouped.ts'
import { type Filter, meets } from './filter.ts'
import { groupEvents, type MemberEvent } from './group-events.ts'
import { type GroupChange, groupChangeOf, readGroup, replacement } from './group-patch.ts'
import { readOperations } from './patch-operations.ts'
import { foundResource, invalidValue, ScimError, tooMany } from './scim-error.ts'
import type { GroupKind, ScimProvider } from './scim-tokens.ts'
import { concerns, type SearchStore, search } from './search.ts'
import { createWorkBudget, filterInSlices, within } from './work-budget.ts'

export interface ProvisionedGroup {
  id: string
  displayName: string
  externalId: string | null
  createdAt: Date
  /** When its name, its own id or its members changed last. */
  updatedAt: Date
}

export type GroupMember = Record<'groupId' | 'userId' | 'userName', string>

export type GroupRefusal = 'unknown_member' | 'not_own'

/** Groups of one kind. Members who are not active keep their groups for their return. */
export interface ScimGroupStore extends SearchStore<ProvisionedGroup> {
  byId(organizationId: string, id: string): Promise<ProvisionedGroup | null>
  members(
    organizationId: string,
    groupIds: readonly string[],
    limit: number,
  ): Promise<GroupMember[]>
  add(
    organizationId: string,
    group: { id: string; displayName: string; externalId: string | null },
    memberIds: readonly string[],
    event: AuditEvent,
    memberEvent: MemberEvent,
  ): Promise<ProvisionedGroup | GroupRefusal>
  /** @param renamed is written if the name changes */
  change(
    organizationId: string,
    id: string,
    change: GroupChange,
    renamed: AuditEvent,
    memberEvent: MemberEvent,
  ): Promise<ProvisionedGroup | GroupRefusal | null>
  remove(organizationId: string, id: string, event: AuditEvent): Promise<GroupRefusal | boolean>
}

const members = 'members'
const tooManyShown = 'too many members; use excludedAttributes=members'
/** Members in one answer. */
const mostMembers = 20_000
/** Comparisons of one group, which are made in one piece. */
const mostOfGroup = 25_000

/** @throws ScimError */
const accepted = <Stored>(stored: Stored | GroupRefusal): Stored => {
  if (stored === 'unknown_member')
    throw invalidValue('members has a user whom the organization does not have')
  const detail = 'the operator manages this group; only its members can be changed'
  if (stored === 'not_own') throw new ScimError(403, 'mutability', detail)
  return stored as Stored
}

const checkName = (name: string | undefined) => {
  if (name !== undefined && nameFaults('/displayName', name).length > 0)
    throw invalidValue('displayName must be a visible text of at most 100 characters')
}

export const byGroup = (all: readonly GroupMember[]) => groupedBy(all, ({ groupId }) => groupId)

/** What filters compare of `meta`. */
const metaOf = ({ createdAt, updatedAt }: ProvisionedGroup) => ({
  resourceType: 'Group',
  created: createdAt.toISOString(),
  lastModified: updatedAt.toISOString(),
})

/** @param detail of the error for more than one answer may have @throws ScimError tooMany */
const membersIn = async (
  store: ScimGroupStore,
  organizationId: string,
  groups: readonly ProvisionedGroup[],
  detail: string,
) => {
  const ids = groups.map(({ id }) => id)
  const found = await store.members(organizationId, ids, mostMembers + 1)
  if (found.length > mostMembers) throw tooMany(detail)
  return found
}

/** The members on which the filter depends, by group. @throws ScimError tooMany */
const decidingMembers = async (
  store: ScimGroupStore,
  organizationId: string,
  groups: readonly ProvisionedGroup[],
  filter: Filter,
): Promise<Map<string, { value: string }[]>> => {
  if (!concerns(filter, members)) return new Map()
  const found = byGroup(await membersIn(store, organizationId, groups, 'too many members match'))
  return new Map([...found].map(([id, own]) => [id, own.map(({ userId: value }) => ({ value }))]))
}

/** Groups of an organization, as its identity provider manages them: its workspaces, the role of admins, or groups alone. */
export const createScimGroups = (stores: Record<GroupKind, ScimGroupStore>) => {
  const meeting =
    ({ organizationId, groupKind }: ScimProvider) =>
    async (candidates: ProvisionedGroup[], filter: Filter): Promise<ProvisionedGroup[]> => {
      const membersOf = await decidingMembers(stores[groupKind], organizationId, candidates, filter)
      const budget = createWorkBudget()
      return filterInSlices(candidates, (group) =>
        meets(
          { ...group, meta: metaOf(group), members: membersOf.get(group.id) ?? [] },
          filter,
          within(budget, mostOfGroup),
        ),
      )
    }

  /** @throws ScimError tooMany */
  const membersOf = (
    { organizationId, groupKind }: ScimProvider,
    groups: readonly ProvisionedGroup[],
  ) => membersIn(stores[groupKind], organizationId, groups, tooManyShown)

  const change = async (provider: ScimProvider, id: string, given: GroupChange, cause: Cause) => {
    const { organizationId, groupKind } = provider
    checkName(given.displayName)
    const events = groupEvents(provider, cause)
    let removed = 0
    const memberEvent: MemberEvent = (groupId, change, count) => {
      if (change === 'removed') removed += count
      return events.memberEvent(groupId, change, count)
    }
    const store = stores[groupKind]
    const stored = await store.change(organizationId, id, given, events.renamed(id), memberEvent)
    foundResource(accepted(stored))
    return { unlisted: given.empties ? removed : 0 }
  }

  return {
    /** @throws ScimError */
    add: async (provider: ScimProvider, body: unknown, cause: Cause): Promise<ProvisionedGroup> => {
      const { organizationId, groupKind } = provider
      const { displayName, externalId, memberIds } = readGroup(body)
      checkName(displayName)
      const id = newId(groupKind === 'groups' ? 'directoryGroup' : 'workspace')
      const { created, memberEvent } = groupEvents(provider, cause)
      const group = { id, displayName, externalId }
      const store = stores[groupKind]
      return accepted(await store.add(organizationId, group, memberIds, created(id), memberEvent))
    },

    /** @throws ScimError */
    read: async (provider: ScimProvider, id: string, withMembers: boolean) => {
      const store = stores[provider.groupKind]
      const group = foundResource(await store.byId(provider.organizationId, id))
      return { group, members: withMembers ? await membersOf(provider, [group]) : null }
    },

    /** @param start from 0 @returns no members if they were not asked for @throws ScimError */
    list: async (
      provider: ScimProvider,
      filter: Filter | null,
      { start, count, withMembers }: { start: number; count: number; withMembers: boolean },
    ) => {
      const { organizationId, groupKind } = provider
      const store = stores[groupKind]
      const page = { start, count }
      const found = await search(store, organizationId, filter, page, meeting(provider))
      const { total, resources: groups } = found
      return { total, groups, members: withMembers ? await membersOf(provider, groups) : null }
    },

    /** @returns how many members it has removed without their ids @throws ScimError */
    replace: (provider: ScimProvider, id: string, body: unknown, cause: Cause) =>
      change(provider, id, replacement(readGroup(body)), cause),

    /** As `replace`. @throws ScimError */
    patch: (provider: ScimProvider, id: string, body: unknown, cause: Cause) =>
      change(provider, id, groupChangeOf(readOperations(body)), cause),

    /** Deletes a group that SCIM has made. @throws ScimError */
    remove: async (provider: ScimProvider, id: string, cause: Cause): Promise<void> => {
      const { organizationId, groupKind } = provider
      const { deleted } = groupEvents(provider, cause)
      const removed = await stores[groupKind].remove(organizationId, id, deleted(id))
      foundResource(accepted(removed) || null)
    },
  }
}

export type ScimGroups = ReturnType<typeof createScimGroups>
