import type { WorkspaceStore } from '../../../core/organizations/workspaces.ts'
import type { GroupChange } from '../../../core/provisioning/group-patch.ts'
import type {
  GroupMember,
  MemberEvent,
  ProvisionedGroup,
  ScimGroupStore,
} from '../../../core/provisioning/scim-groups.ts'
import type { Search } from '../../../core/provisioning/search.ts'
import { changeRows, insertAuditEvents } from '../audit/audit.ts'
import { type Columns, column, computed, named, of, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import {
  type Attributes,
  collectValues,
  conditionOf,
  foundOf,
  given,
  pageOf,
  pageOfFound,
  timeText,
} from './filter-condition.ts'
import { insertMemberEvents, splitByState } from './group-members.ts'

const changed = 'coalesce(w.changed_at, w.created_at)'

const groupColumns: Columns<ProvisionedGroup> = {
  id: column,
  displayName: named('name'),
  externalId: of('g'),
  createdAt: column,
  updatedAt: computed(changed),
}

const joined = `
  from workspaces w left join scim_groups g on g.workspace_id = w.id
 where w.organization_id = $1`
const groups = `select ${selected(groupColumns, 'w')} ${joined}`

const attributes: Attributes = {
  values: {
    id: { sql: 'w.id', isExact: true },
    displayname: { sql: 'w.name' },
    externalid: { sql: 'g.external_id', isExact: true },
    'meta.created': { sql: timeText('w.created_at') },
    'meta.lastmodified': { sql: timeText(changed) },
  },
  lists: {
    members: {
      from: `(select user_id from workspace_members where workspace_id = w.id
        union all select user_id from scim_users where organization_id = $1 and w.id = any(kept_workspaces)) one`,
      values: { value: { sql: 'one.user_id', isExact: true } },
      eqOnly: true,
    },
  },
}

/** The condition of the groups that the filter leaves, with $1 and $2; `isWhole`: it decides each term. */
const chosen = (search: Search | null) => {
  const { values, put } = collectValues()
  const condition = search && conditionOf(search.filter, attributes, put)
  const text = `${given}${condition ? ` and (${condition.text})` : ''}`
  return { text, values, isWhole: search === null || condition?.isWhole === true }
}

const read = (on: Queryable, organizationId: string, id: string) =>
  on.row<ProvisionedGroup>(`${groups} and w.id = $2`, [organizationId, id])

/** @returns the user ids of those who were removed, active or not */
const removeMembers = async (
  tx: Queryable,
  [organizationId, id]: [string, string],
  { empties, add, remove }: GroupChange,
): Promise<string[]> => {
  const chosen = empties ? 'user_id <> all($2::text[])' : 'user_id = any($2::text[])'
  const ids = [...(empties ? add : remove)]
  if (!empties && ids.length === 0) return []
  const changed = await tx.values<string>(
    `delete from workspace_members where workspace_id = $1 and ${chosen} returning user_id`,
    [id, ids],
  )
  const kept = await tx.values<string>(
    `update scim_users set kept_workspaces = array_remove(kept_workspaces, $1)
      where organization_id = $3 and $1 = any(kept_workspaces) and ${chosen} returning user_id`,
    [id, ids, organizationId],
  )
  return [...changed, ...kept]
}

const addMembers = async (tx: Queryable, id: string, organizationId: string, ids: string[]) => {
  const known = await splitByState(tx, organizationId, ids)
  if (!known) return null
  const changed = await tx.values<string>(
    `insert into workspace_members (workspace_id, user_id) select $1, unnest($2::text[])
     on conflict (user_id, workspace_id) do nothing returning user_id`,
    [id, known.active],
  )
  const kept = await tx.values<string>(
    `update scim_users set kept_workspaces = array_append(kept_workspaces, $1)
      where organization_id = $3 and user_id = any($2) and not $1 = any(kept_workspaces)
     returning user_id`,
    [id, known.inactive, organizationId],
  )
  return [...changed, ...kept]
}

/** Thrown to roll a transaction back. */
class UnknownMember extends Error {}

/** For what no trigger sees: users who are not active, and the provider's own id. */
const markChanged = (tx: Queryable, id: string) =>
  tx.query('update workspaces set changed_at = clock_timestamp() where id = $1', [id])

const changeMembers = async (
  tx: Queryable,
  place: [string, string],
  change: GroupChange,
  memberEvent: MemberEvent,
) => {
  const [organizationId, id] = place
  const removed = await removeMembers(tx, place, change)
  const added = await addMembers(tx, id, organizationId, [...change.add])
  if (!added) throw new UnknownMember()
  await insertMemberEvents(tx, id, { removed, added }, memberEvent)
  if (removed.length + added.length > 0) await markChanged(tx, id)
}

const unknownMember = (error: unknown) => {
  if (error instanceof UnknownMember) return 'unknown_member' as const
  throw error
}

const putExternalId = async (
  tx: Queryable,
  id: string,
  externalId: string | null,
  isOwn: boolean,
) => {
  const isChanged = await tx.affects(
    `insert into scim_groups (workspace_id, external_id, is_own) values ($1, $2, $3)
     on conflict (workspace_id) do update set external_id = $2
     where scim_groups.external_id is distinct from $2`,
    [id, externalId, isOwn],
  )
  if (isChanged) await markChanged(tx, id)
}

/** Groups that are the workspaces of the organization. */
export const createWorkspaceGroups = (
  database: Database,
  workspaces: Pick<WorkspaceStore, 'remove'>,
): ScimGroupStore => ({
  indexed: [],

  byId: (organizationId, id) => read(database, organizationId, id),

  find: async (organizationId, search, { start, count }) => {
    const { text, values, isWhole } = chosen(search)
    if (!isWhole) return null
    const ids = `select w.id, w.created_at ${joined} and ${text}`
    const page = `${groups} and w.id in (${pageOfFound})`
    const rows = await database.rows<ProvisionedGroup & { total: number }>(pageOf(ids, page), [
      organizationId,
      values,
      start,
      count,
    ])
    return foundOf(rows)
  },

  candidates: async (organizationId, search, limit) => {
    const { text, values } = chosen(search)
    return database.rows<ProvisionedGroup>(
      `${groups} and ${text} order by w.created_at, w.id limit $3`,
      [organizationId, values, limit],
    )
  },

  count: async (organizationId) =>
    (await database.value<number>(
      'select count(*)::integer as count from workspaces where organization_id = $1',
      [organizationId],
    )) ?? 0,

  members: (organizationId, groupIds, limit) =>
    database.rows<GroupMember>(
      `select * from (
       select wm.workspace_id as "groupId", wm.user_id as "userId", coalesce(s.user_name, u.email) as "userName"
         from workspace_members wm join users u on u.id = wm.user_id
         left join scim_users s on s.organization_id = $1 and s.user_id = wm.user_id
        where wm.workspace_id = any($2::text[])
       union all
       select k.id, s.user_id, s.user_name from scim_users s cross join unnest(s.kept_workspaces) as k (id)
        where s.organization_id = $1 and k.id = any($2::text[])) known
       order by "userId" collate "C" limit $3`,
      [organizationId, groupIds, limit],
    ),

  add: (organizationId, group, memberIds, event, memberEvent) =>
    database
      .transaction(async (tx) => {
        await tx.query('insert into workspaces (id, organization_id, name) values ($1, $2, $3)', [
          group.id,
          organizationId,
          group.displayName,
        ])
        await putExternalId(tx, group.id, group.externalId, true)
        await insertAuditEvents(tx, [event])
        const change = { empties: false, add: new Set(memberIds), remove: new Set<string>() }
        await changeMembers(tx, [organizationId, group.id], change, memberEvent)
        return (await read(tx, organizationId, group.id))!
      })
      .catch(unknownMember),

  change: (organizationId, id, change, renamed, memberEvent) =>
    database
      .transaction(async (tx) => {
        const isOwn = await tx.affects(
          'select id from workspaces where organization_id = $1 and id = $2 for no key update',
          [organizationId, id],
        )
        if (!isOwn) return null
        if (change.displayName !== undefined) {
          await changeRows(
            tx,
            'update workspaces set name = $2 where id = $1 and name <> $2',
            [id, change.displayName],
            [renamed],
          )
        }
        if (change.externalId !== undefined) await putExternalId(tx, id, change.externalId, false)
        await changeMembers(tx, [organizationId, id], change, memberEvent)
        return read(tx, organizationId, id)
      })
      .catch(unknownMember),

  remove: async (organizationId, id, event) => {
    const row = await database.row<{ is_own: boolean }>(
      `select coalesce(g.is_own, false) as is_own from workspaces w
         left join scim_groups g on g.workspace_id = w.id
        where w.organization_id = $1 and w.id = $2`,
      [organizationId, id],
    )
    if (!row) return false
    return row.is_own ? workspaces.remove(id, () => [event]) : 'not_own'
  },
})
