import type { MembershipStore } from '../../../core/organizations/memberships.ts'
import type { Database } from '../connection/database.ts'
import { namesOfUsers } from '../people/people.ts'

const query = `select o.id, o.name, m.role
  from members m join organizations o on o.id = m.organization_id where m.user_id = $1`

export const createMembershipStore = (database: Database): MembershipStore => ({
  ofUser: (userId) =>
    database.rows(`${query} order by lower(o.name), o.id`, [userId], 'memberships_of'),
  find: (userId, organizationId) =>
    database.row(`${query} and o.id = $2`, [userId, organizationId], 'membership'),
  names: namesOfUsers(database),
})
