import type { Member, MemberStore, Newcomer } from '../../../core/organizations/members.ts'
import type { MembershipStore } from '../../../core/organizations/memberships.ts'
import { changeRows, insertAuditEvents } from '../audit/audit.ts'
import { type Columns, plain, selected } from '../connection/columns.ts'
import { type Database, onForeignKeyViolation, type Queryable } from '../connection/database.ts'
import { listOfOrganization } from '../connection/lists.ts'
import { namesOfUsers } from '../people/people.ts'
import { byUser } from './by-user.ts'
import { leavePlaces, places, returnToPlaces } from './places.ts'

const memberColumns: Columns<Member> = plain('organizationId', 'userId', 'role', 'createdAt')
const columns = selected(memberColumns)

const newcomerQuery = `
select created_by_token as "createdByToken", array(
    select organization_id from members where user_id = $2 and organization_id <> $1) as "organizationIds"
  from users where id = $2`

export const insertMember =
  'insert into members (organization_id, user_id, role) values ($1, $2, $3)'

const absent = onForeignKeyViolation(null)

/**
 * Deletes a membership and those in the workspaces and groups of the organization. The membership is deleted first: a
 * transaction that adds the user to one of them holds a share lock on its row, so the later statements see the addition.
 */
export const deleteMembership = async (tx: Queryable, organizationId: string, userId: string) => {
  const member = await tx.row<Member>(
    `delete from members where organization_id = $1 and user_id = $2 returning ${columns}`,
    [organizationId, userId],
  )
  const workspaceIds = await leavePlaces(tx, places.workspaces, [organizationId, userId])
  const groupIds = await leavePlaces(tx, places.groups, [organizationId, userId])
  return { member, workspaceIds, groupIds }
}

const find = (on: Queryable, organizationId: string, userId: string, lock = '') =>
  on.row<Member>(
    `select ${columns} from members where organization_id = $1 and user_id = $2 ${lock}`,
    [organizationId, userId],
  )

export const createMemberStore = (database: Database): MemberStore => ({
  put: ({ organizationId, userId, role }, admit) =>
    database
      .transaction(async (tx) => {
        const added = await tx.row<Member>(
          `${insertMember} on conflict (organization_id, user_id) do nothing returning ${columns}`,
          [organizationId, userId, role],
        )
        if (added) {
          await returnToPlaces(tx, [organizationId, userId])
          const newcomer = await tx.one<Newcomer>(newcomerQuery, [organizationId, userId])
          await insertAuditEvents(tx, admit(newcomer))
          return added
        }
        const before = await find(tx, organizationId, userId, 'for no key update')
        // Removed between the two statements: nothing is left to change.
        if (!before) return null
        const events = admit(before)
        if (events.length > 0) {
          const text = 'update members set role = $3 where organization_id = $1 and user_id = $2'
          await changeRows(tx, text, [organizationId, userId, role], events)
        }
        return { ...before, role }
      })
      .catch(absent),

  find: (organizationId, userId) => find(database, organizationId, userId),

  list: (organizationId, page) =>
    listOfOrganization<Member>(database, organizationId, page, {
      ...{ columns: selected(memberColumns, 'm'), ...byUser('members') },
      filters: { role: 'm.role = ?' },
    }),

  remove: database.inTransaction(async (tx, { organizationId, userId }, admit) => {
    const { member, ...places } = await deleteMembership(tx, organizationId, userId)
    if (!member) return false
    await insertAuditEvents(tx, admit({ ...member, ...places }))
    return true
  }),
})

const membershipQuery = `select o.id, o.name, m.role
  from members m join organizations o on o.id = m.organization_id where m.user_id = $1`

export const createMembershipStore = (database: Database): MembershipStore => ({
  ofUser: (userId) =>
    database.rows(`${membershipQuery} order by lower(o.name), o.id`, [userId], 'memberships_of'),
  find: (userId, organizationId) =>
    database.row(`${membershipQuery} and o.id = $2`, [userId, organizationId], 'membership'),
  names: namesOfUsers(database),
})
