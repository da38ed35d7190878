import type { GroupChange } from '../../../core/provisioning/group-patch.ts'
import type { ProvisionedGroup, ScimGroupStore } from '../../../core/provisioning/scim-groups.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { holdStates, insertMemberEvents, splitByState } from './group-members.ts'

/** Id and name of the only group: the admins of the organization. */
const admins = 'admin'

const read = async (on: Queryable, organizationId: string): Promise<ProvisionedGroup | null> => {
  const row = await on.row<Pick<ProvisionedGroup, 'createdAt' | 'updatedAt'>>(
    `select created_at as "createdAt", coalesce(admins_changed_at, created_at) as "updatedAt"
       from organizations where id = $1`,
    [organizationId],
  )
  return row ? { id: admins, displayName: admins, externalId: null, ...row } : null
}

/** Those whose role has changed, active or not. */
const setRole = async (
  tx: Queryable,
  organizationId: string,
  to: 'admin' | 'member',
  chosen: string,
  ids: readonly string[],
): Promise<string[]> => {
  const changed = await tx.values<string>(
    `update members set role = $3 where organization_id = $1 and role <> $3 and ${chosen} returning user_id`,
    [organizationId, ids, to],
  )
  const kept = await tx.values<string>(
    `update scim_users s set kept_role = $3
      where s.organization_id = $1 and coalesce(s.kept_role, 'member') <> $3 and ${chosen}
        and not exists (select 1 from members m where m.organization_id = $1 and m.user_id = s.user_id)
     returning user_id`,
    [organizationId, ids, to],
  )
  return [...changed, ...kept]
}

const present = `kept_role = 'admin'
  or user_id in (select user_id from members where organization_id = $1 and role = 'admin')`

const changeRoles = async (tx: Queryable, organizationId: string, change: GroupChange) => {
  const { empties, add, remove } = change
  await holdStates(tx, organizationId, change, present)
  const known = await splitByState(tx, organizationId, [...add])
  if (!known) return null
  const removed = empties
    ? await setRole(tx, organizationId, 'member', 'user_id <> all($2::text[])', [...add])
    : await setRole(tx, organizationId, 'member', 'user_id = any($2::text[])', [...remove])
  const added = await setRole(tx, organizationId, 'admin', 'user_id = any($2::text[])', [...add])
  return { removed, added }
}

/** One group that is the role of admins. It always exists; its members can be changed. */
export const createRoleGroups = (database: Database): ScimGroupStore => ({
  indexed: [],

  byId: async (organizationId, id) => (id === admins ? read(database, organizationId) : null),

  // The process compares the one group with a filter.
  find: async (organizationId, search, { start, count }) => {
    if (search) return null
    const group = start === 0 && count > 0 ? await read(database, organizationId) : null
    return { total: 1, resources: group ? [group] : [] }
  },

  candidates: async (organizationId) => {
    const group = await read(database, organizationId)
    return group ? [group] : []
  },

  count: async () => 1,

  members: async (organizationId, groupIds, limit) => {
    if (!groupIds.includes(admins)) return []
    return database.rows(
      `select $3::text as "groupId", u.id as "userId", coalesce(s.user_name, u.email) as "userName"
         from (select user_id from members where organization_id = $1 and role = 'admin'
               union select user_id from scim_users where organization_id = $1 and kept_role = 'admin') known
         join users u on u.id = known.user_id
         left join scim_users s on s.organization_id = $1 and s.user_id = u.id
        order by u.id collate "C" limit $2`,
      [organizationId, limit, admins],
    )
  },

  add: async () => 'not_own',

  change: database.inTransaction(async (tx, organizationId, id, change, _renamed, memberEvent) => {
    const group = id === admins ? await read(tx, organizationId) : null
    if (!group) return null
    if (change.displayName !== undefined && change.displayName.toLowerCase() !== admins)
      return 'not_own'
    const changed = await changeRoles(tx, organizationId, change)
    if (!changed) return 'unknown_member'
    await insertMemberEvents(tx, id, changed, memberEvent)
    return group
  }),

  remove: async (organizationId, id) =>
    id === admins && (await read(database, organizationId)) ? 'not_own' : false,
})
