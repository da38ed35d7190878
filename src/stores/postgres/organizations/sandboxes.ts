import type { Sandbox, SandboxStore } from '../../../core/organizations/sandboxes.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { column, computed, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { insertMember } from './members.ts'

const columns = selected<Sandbox>({
  organizationId: column,
  name: computed('(select name from organizations where id = sandboxes.organization_id)'),
  createdAt: column,
})

/** Locks a user who is not disabled and owns an app, so that one user gets one sandbox. */
const lockOwner = (tx: Queryable, userId: string) =>
  tx.affects(
    `select from users where id = $1 and disabled_at is null
       and exists (select from app_owners where user_id = $1) for no key update`,
    [userId],
  )

const ofOwner = (on: Queryable, userId: string) =>
  on.row<Sandbox>(`select ${columns} from sandboxes where owner_id = $1`, [userId])

export const createSandboxStore = (database: Database): SandboxStore => ({
  ofOwner: (userId) => ofOwner(database, userId),

  insert: database.inTransaction(
    async (tx, userId, { organizationId, name, workspaces }, events) => {
      if (!(await lockOwner(tx, userId))) return null
      if (await ofOwner(tx, userId)) return 'taken'
      const owner = [organizationId, userId]
      await tx.run('insert into organizations (id, name) values ($1, $2)', [organizationId, name])
      await tx.run('insert into sandboxes (organization_id, owner_id) values ($1, $2)', owner)
      await tx.run(insertMember, [...owner, 'admin'])
      const ids = workspaces.map((one) => one.id)
      await tx.query(
        `insert into workspaces (id, organization_id, name)
         select id, $1, name from unnest($2::text[], $3::text[]) as given (id, name)`,
        [organizationId, ids, workspaces.map((one) => one.name)],
      )
      await tx.query(
        'insert into workspace_members (workspace_id, user_id) select id, $1 from unnest($2::text[]) as given (id)',
        [userId, ids],
      )
      await insertAuditEvents(tx, events)
      return (await ofOwner(tx, userId))!
    },
  ),
})
