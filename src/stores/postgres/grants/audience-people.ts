import type { AudiencePeopleStore, AudiencePerson } from '../../../core/grants/audience-people.ts'
import type { InstallKey } from '../../../core/organizations/install.ts'
import { changeRows, insertAuditEvents } from '../audit/audit.ts'
import { computed, of, plainOf, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { listRows } from '../connection/lists.ts'
import { withUser } from '../organizations/by-user.ts'
import { isLiveInstall, keptOutReason } from '../organizations/live.ts'
import { lockOrganization } from '../organizations/organizations.ts'
import { endConnection } from './connections.ts'

const reason = `coalesce(${keptOutReason('i', 'm.user_id')}, inside_by(i.audience, m.user_id))`
const liveInstall = `select * from installs i
  where organization_id = $1 and client_id = $2 and ${isLiveInstall('i')}`

const listed = {
  ...withUser,
  columns: selected<AudiencePerson>({
    userId: of('u', 'id'),
    ...plainOf('u', 'name', 'email'),
    reason: computed(reason),
  }),
  table: `installs i join members m on m.organization_id = i.organization_id join users u on u.id = m.user_id`,
  where: `i.organization_id = ? and i.client_id = ? and ${isLiveInstall('i')}`,
}

const sizeQuery = `
select count(m.user_id)::integer as members,
  count(*) filter (where m.user_id is not null and ${keptOutReason('i', 'm.user_id')} is null)::integer as inside
from (${liveInstall}) i
left join members m on m.organization_id = i.organization_id
group by i.id`

const isInstalled = (on: Queryable, { organizationId, clientId }: InstallKey) =>
  on.affects(liveInstall, [organizationId, clientId])

const insertDenial = `
insert into denied_people (organization_id, client_id, user_id)
select organization_id, $2, user_id from members where organization_id = $1 and user_id = $3`

const isDenied =
  'select from denied_people where organization_id = $1 and client_id = $2 and user_id = $3'

export const createAudiencePeopleStore = (database: Database): AudiencePeopleStore => ({
  groups: (organizationId) =>
    database.rows(
      'select id, name from directory_groups where organization_id = $1 order by lower(name), id',
      [organizationId],
    ),

  users: (ids) =>
    database.rows('select id, name from users where id = any($1) order by lower(name), id', [ids]),

  list: async (install, page) => {
    if (!(await isInstalled(database, install))) return null
    const { organizationId, clientId } = install
    return listRows<AudiencePerson>(database, page, listed, [organizationId, clientId])
  },

  size: ({ organizationId, clientId }) =>
    database.row(sizeQuery, [organizationId, clientId], 'size_of_audience'),

  deny: database.inTransaction(async (tx, person, { denied, ended }) => {
    const { organizationId, clientId, userId } = person
    if (!(await lockOrganization(tx, organizationId))) return null
    if (!(await isInstalled(tx, person))) return null
    const values = [organizationId, clientId, userId]
    if (await tx.affects(isDenied, values)) return { isNew: false, ended: [] }
    if (!(await tx.affects(insertDenial, values))) return null
    await insertAuditEvents(tx, [denied])
    const ids = await endConnection(tx, { ...person, audit: ended })
    return { isNew: true, ended: ids ?? [] }
  }),

  admit: database.inTransaction(async (tx, person, event) => {
    const { organizationId, clientId, userId } = person
    if (!(await isInstalled(tx, person))) return null
    return changeRows(
      tx,
      'delete from denied_people where organization_id = $1 and client_id = $2 and user_id = $3',
      [organizationId, clientId, userId],
      [event],
    )
  }),
})
