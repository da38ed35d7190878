import type { TestPeopleStore, TestPerson } from '../../../core/organizations/test-people.ts'
import { changeRows, insertAuditEvents } from '../audit/audit.ts'
import { of, plain, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { insertMember } from './members.ts'

const columns = selected<TestPerson>({ ...plain('id', 'email', 'name'), createdAt: of('p') }, 'u')
const select = `select ${columns} from test_people p join users u on u.id = p.user_id
  where p.organization_id = (select organization_id from sandboxes where owner_id = $1)`

/** Locks the sandbox, so that its test people can be counted. */
const lockSandbox = (tx: Queryable, ownerId: string) =>
  tx.value<string>('select organization_id from sandboxes where owner_id = $1 for no key update', [
    ownerId,
  ])

export const createTestPeopleStore = (database: Database): TestPeopleStore => ({
  ofOwner: (ownerId) => database.rows(`${select} order by p.created_at, u.id`, [ownerId]),

  add: database.inTransaction(
    async (tx, ownerId, { id, email, name, passwordHash }, most, eventsOf) => {
      const organizationId = await lockSandbox(tx, ownerId)
      if (organizationId === null) return null
      const present = await tx.count('test_people where organization_id = $1', [organizationId])
      if (present >= most) return 'full'
      const isNew = await tx.affects(
        `insert into users (id, email, name, password_hash) values ($1, $2, $3, $4)
         on conflict (lower(email)) do nothing`,
        [id, email, name, passwordHash],
      )
      if (!isNew) return 'exists'
      const place = [organizationId, id]
      await tx.run('insert into test_people (organization_id, user_id) values ($1, $2)', place)
      await tx.run(insertMember, [...place, 'member'])
      const workspaceIds = await tx.values<string>(
        `insert into workspace_members (workspace_id, user_id)
         select id, $2 from workspaces where organization_id = $1 order by id returning workspace_id`,
        place,
      )
      await insertAuditEvents(tx, eventsOf({ organizationId, workspaceIds }))
      return tx.row<TestPerson>(`${select} and p.user_id = $2`, [ownerId, id])
    },
  ),

  remove: database.inTransaction(async (tx, ownerId, id, eventsOf) => {
    const organizationId = await lockSandbox(tx, ownerId)
    if (organizationId === null) return false
    return changeRows(
      tx,
      `delete from users where id = (
           select user_id from test_people where user_id = $1 and organization_id = $2)`,
      [id, organizationId],
      eventsOf(organizationId),
    )
  }),
})
