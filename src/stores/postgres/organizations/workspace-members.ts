import type { WorkspaceMember, WorkspaceStore } from '../../../core/organizations/workspaces.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { type Columns, plain, selected } from '../connection/columns.ts'
import { type Database, onForeignKeyViolation, type Queryable } from '../connection/database.ts'
import { listRows } from '../connection/lists.ts'
import { byUser } from './by-user.ts'

const memberColumns: Columns<WorkspaceMember> = plain('workspaceId', 'userId', 'createdAt')
const columns = selected(memberColumns)

const find = (on: Queryable, workspaceId: string, userId: string) =>
  on.row<WorkspaceMember>(
    `select ${columns} from workspace_members where workspace_id = $1 and user_id = $2`,
    [workspaceId, userId],
  )

const organizationOf = (on: Queryable, workspaceId: string) =>
  on.value<string>('select organization_id from workspaces where id = $1', [workspaceId])

const userExists = (on: Queryable, id: string) =>
  on.affects('select id from users where id = $1', [id])

/** The part of the workspace store about members. */
export const createWorkspaceMembers = (
  database: Database,
): Pick<WorkspaceStore, 'putMember' | 'findMember' | 'listMembers' | 'removeMember'> => ({
  putMember: (workspaceId, userId, admit) =>
    database
      .transaction(async (tx) => {
        const organizationId = await organizationOf(tx, workspaceId)
        if (!organizationId) return 'no_workspace' as const
        // The share lock delays a removal from the organization until this membership exists and is removed with it.
        const isMember = await tx.affects(
          'select user_id from members where organization_id = $1 and user_id = $2 for share',
          [organizationId, userId],
        )
        if (!isMember)
          return (await userExists(tx, userId)) ? ('not_a_member' as const) : ('no_user' as const)
        const added = await tx.row<WorkspaceMember>(
          `insert into workspace_members (workspace_id, user_id) values ($1, $2)
           on conflict (user_id, workspace_id) do nothing returning ${columns}`,
          [workspaceId, userId],
        )
        const row = added ?? (await find(tx, workspaceId, userId))
        if (!row) return 'no_workspace' as const
        await insertAuditEvents(tx, admit(added ? null : row, organizationId))
        return row
      })
      // The workspace was deleted during this transaction. The user cannot be: the membership above is locked.
      .catch(onForeignKeyViolation('no_workspace')),

  findMember: (workspaceId, userId) => find(database, workspaceId, userId),

  listMembers: async (workspaceId, page) => {
    if (!(await organizationOf(database, workspaceId))) return null
    const list = { columns: selected(memberColumns, 'm'), ...byUser('workspace_members') }
    return listRows<WorkspaceMember>(database, page, { ...list, where: 'm.workspace_id = ?' }, [
      workspaceId,
    ])
  },

  removeMember: database.inTransaction(async (tx, { workspaceId, userId }, admit) => {
    const organizationId = await organizationOf(tx, workspaceId)
    const row = await tx.row<WorkspaceMember>(
      `delete from workspace_members where workspace_id = $1 and user_id = $2 returning ${columns}`,
      [workspaceId, userId],
    )
    if (!organizationId || !row) return false
    await insertAuditEvents(tx, admit({ ...row, organizationId }))
    return true
  }),
})
