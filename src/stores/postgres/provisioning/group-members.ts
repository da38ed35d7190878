// What both kinds of groups share.
import type { MemberEvent } from '../../../core/provisioning/scim-groups.ts'
import { insertAuditEvents } from '../audit/audit.ts'
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

/** Events of one statement: to write many holds the event loop. */
const eventsAtOnce = 500

/** Writes the events of those who were removed from a group or added to it. */
export const insertMemberEvents = async (
  tx: Queryable,
  groupId: string,
  changed: { removed: readonly string[]; added: readonly string[] },
  memberEvent: MemberEvent,
) => {
  for (const change of ['removed', 'added'] as const)
    for (let at = 0; at < changed[change].length; at += eventsAtOnce) {
      const some = changed[change].slice(at, at + eventsAtOnce)
      await insertAuditEvents(
        tx,
        some.map((userId) => memberEvent(groupId, userId, change)),
      )
    }
}
