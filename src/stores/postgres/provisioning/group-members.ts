// What both kinds of groups share.
import type { MemberEvent } from '../../../core/provisioning/scim-groups.ts'
import { insertEventForUsers } from '../audit/audit.ts'
import type { Queryable } from '../connection/database.ts'

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
