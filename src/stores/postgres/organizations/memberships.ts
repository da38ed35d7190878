import type {
  MembershipStore,
  OrganizationMembership,
} from '../../../core/organizations/memberships.ts'
import type { Database } from '../connection/database.ts'

const query = `select o.id, o.name, m.role
  from members m join organizations o on o.id = m.organization_id where m.user_id = $1`

export const createMembershipStore = (database: Database): MembershipStore => ({
  ofUser: (userId) =>
    database.rows<OrganizationMembership>(
      `${query} order by lower(o.name), o.id`,
      [userId],
      'memberships_of',
    ),
  find: (userId, organizationId) =>
    database.row<OrganizationMembership>(
      `${query} and o.id = $2`,
      [userId, organizationId],
      'membership',
    ),
  names: async (userIds) => {
    if (userIds.length === 0) return new Map()
    const rows = await database.rows<{ id: string; name: string }>(
      'select id, name from users where id = any($1)',
      [userIds],
    )
    return new Map(rows.map((row) => [row.id, row.name]))
  },
})
