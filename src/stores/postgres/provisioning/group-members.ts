// What both kinds of groups share.
import type { GroupMember } from '../../../core/provisioning/scim-groups.ts'
import type { Queryable } from '../connection/database.ts'

export const sortedMembers = (members: GroupMember[]) =>
  members.sort((a, b) => (a.userId < b.userId ? -1 : 1))

/**
 * Locks the users, so that none leaves the organization meanwhile.
 * @returns null when the organization does not have one of them
 */
export const splitByState = async (
  tx: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<{ active: string[]; inactive: string[] } | null> => {
  const { rows } = await tx.query<{ user_id: string }>(
    'select user_id from members where organization_id = $1 and user_id = any($2) for share',
    [organizationId, ids],
  )
  const active = rows.map((row) => row.user_id)
  const isActive = new Set(active)
  const others = ids.filter((id) => !isActive.has(id))
  const known = await tx.query<{ user_id: string }>(
    `select user_id from scim_users where organization_id = $1 and user_id = any($2) for no key update`,
    [organizationId, others],
  )
  const inactive = known.rows.map((row) => row.user_id)
  return inactive.length === others.length ? { active, inactive } : null
}
