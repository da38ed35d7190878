// Members of groups. Users who are not active are members too: they keep the group for their return.
import type { MemberEvent } from '../../../core/provisioning/group-events.ts'
import type { GroupChange } from '../../../core/provisioning/group-patch.ts'
import { insertEventForUsers } from '../audit/audit.ts'
import type { Queryable } from '../connection/database.ts'
import type { Place } from '../organizations/places.ts'

/** The id of a group and of its organization. */
export type GroupIds = [organizationId: string, id: string]

/**
 * Locks the users, so that none leaves the organization meanwhile.
 * @returns null when the organization does not have one of them
 */
export const splitByState = async (
  tx: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<{ active: string[]; inactive: string[] } | null> => {
  const active = await tx.values<string>(
    'select user_id from members where organization_id = $1 and user_id = any($2) for share',
    [organizationId, ids],
  )
  const isActive = new Set(active)
  const others = ids.filter((id) => !isActive.has(id))
  const inactive = await tx.values<string>(
    `select user_id from scim_users where organization_id = $1 and user_id = any($2) for no key update`,
    [organizationId, others],
  )
  return inactive.length === others.length ? { active, inactive } : null
}

/** Users of one statement: it must end within `STORE_TIMEOUT_MS`. */
const mostAtOnce = 5000

/** Writes the events of those who were removed from a group or added to it. */
export const insertMemberEvents = async (
  tx: Queryable,
  groupId: string,
  changed: { removed: readonly string[]; added: readonly string[] },
  memberEvent: MemberEvent,
) => {
  for (const change of ['removed', 'added'] as const) {
    const userIds = changed[change]
    if (userIds.length === 0) continue
    const event = memberEvent(groupId, change, userIds.length)
    for (let at = 0; at < userIds.length; at += mostAtOnce)
      await insertEventForUsers(tx, event, userIds.slice(at, at + mostAtOnce))
  }
}

/**
 * None becomes active or inactive meanwhile: what is changed here would be lost. Later statements see who just did.
 * @param present the condition of all members, active or not, with values from $3
 */
export const holdStates = (
  tx: Queryable,
  organizationId: string,
  { empties, add, remove }: GroupChange,
  present: string,
  ...values: string[]
) =>
  tx.query(
    `select from scim_users where organization_id = $1 and (user_id = any($2) ${empties ? `or ${present}` : ''})
      order by user_id for no key update`,
    [organizationId, [...add, ...remove], ...(empties ? values : [])],
  )

/** @returns the user ids of those who were removed, active or not */
const removeMembers = async (
  tx: Queryable,
  { members, key, kept }: Place,
  [organizationId, id]: GroupIds,
  { empties, add, remove }: GroupChange,
): Promise<string[]> => {
  const chosen = empties ? 'user_id <> all($2::text[])' : 'user_id = any($2::text[])'
  const ids = [...(empties ? add : remove)]
  if (!empties && ids.length === 0) return []
  const left = await tx.values<string>(
    `delete from ${members} where ${key} = $1 and ${chosen} returning user_id`,
    [id, ids],
  )
  const dropped = await tx.values<string>(
    `update scim_users set ${kept} = array_remove(${kept}, $1)
      where organization_id = $3 and $1 = any(${kept}) and ${chosen} returning user_id`,
    [id, ids, organizationId],
  )
  return [...left, ...dropped]
}

/** Thrown to roll a transaction back. */
export class UnknownMember extends Error {}

/** @returns the user ids of those who were added, active or not @throws UnknownMember */
const addMembers = async (
  tx: Queryable,
  { members, key, kept }: Place,
  [organizationId, id]: GroupIds,
  ids: readonly string[],
): Promise<string[]> => {
  const known = await splitByState(tx, organizationId, ids)
  if (!known) throw new UnknownMember()
  const joined = await tx.values<string>(
    `insert into ${members} (${key}, user_id) select $1, unnest($2::text[])
     on conflict (user_id, ${key}) do nothing returning user_id`,
    [id, known.active],
  )
  const keeping = await tx.values<string>(
    `update scim_users set ${kept} = array_append(${kept}, $1)
      where organization_id = $3 and user_id = any($2) and not $1 = any(${kept})
     returning user_id`,
    [id, known.inactive, organizationId],
  )
  return [...joined, ...keeping]
}

/** @returns whether members were changed @throws UnknownMember */
export const changeMembers = async (
  tx: Queryable,
  place: Place,
  group: GroupIds,
  change: GroupChange,
  memberEvent: MemberEvent,
): Promise<boolean> => {
  const { members, key, kept } = place
  const [organizationId, id] = group
  const present = `$3 = any(${kept}) or user_id in (select user_id from ${members} where ${key} = $3)`
  await holdStates(tx, organizationId, change, present, id)
  const removed = await removeMembers(tx, place, group, change)
  const added = await addMembers(tx, place, group, [...change.add])
  await insertMemberEvents(tx, id, { removed, added }, memberEvent)
  return removed.length + added.length > 0
}
