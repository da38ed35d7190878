import type { Change } from '../../../core/audit/changes.ts'
import type { Workspace, WorkspaceStore } from '../../../core/organizations/workspaces.ts'
import { changeRow, insertAuditEvents, writeRow } from '../audit/audit.ts'
import { plain, selected, updateRow } from '../connection/columns.ts'
import { type Database, onForeignKeyViolation, type Queryable } from '../connection/database.ts'
import { findRow, type List, listOfOrganization, organizationExists } from '../connection/lists.ts'
import { putOnly } from '../connection/put-row.ts'
import { lockOrganization } from './organizations.ts'
import { createWorkspaceMembers } from './workspace-members.ts'

const columns = selected<Workspace>(plain('id', 'organizationId', 'name', 'createdAt'))
const workspaces: List = {
  ...{ table: 'workspaces', columns },
  orders: { name: 'lower(name)' },
  finds: 'workspace',
}

const find = (on: Queryable, id: string, lock?: 'for no key update') =>
  findRow<Workspace>(on, workspaces, id, lock)

type Naming = Pick<Workspace, 'name'>
const rename = updateRow<Naming>(workspaces, plain('name'))
const write = (tx: Queryable, current: Workspace, { values, events }: Change<Naming>) =>
  writeRow(tx, current, rename(current.id, values), events)

const insertWorkspace = 'insert into workspaces (id, organization_id, name) values ($1, $2, $3)'

const withoutOrganization = onForeignKeyViolation(null)

/** The organizations of these workspaces; those that do not exist have none. */
export const ownersOfWorkspaces = async (on: Queryable, ids: readonly string[]) => {
  if (ids.length === 0) return new Map()
  const rows = await on.rows<{ id: string; organization_id: string }>(
    'select id, organization_id from workspaces where id = any($1)',
    [ids],
  )
  return new Map(rows.map((row) => [row.id, row.organization_id]))
}

/** Those of these workspaces that belong to the organization. */
export const ownWorkspaces = async (
  on: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> => {
  const owners = await ownersOfWorkspaces(on, ids)
  return ids.filter((id) => owners.get(id) === organizationId)
}

export const createWorkspaceStore = (database: Database): WorkspaceStore => ({
  insert: ({ id, organizationId, name }, events) =>
    changeRow<Workspace>(
      database,
      `${insertWorkspace} returning ${columns}`,
      [id, organizationId, name],
      events,
    ).catch(withoutOrganization),

  byId: (id) => find(database, id),

  list: (organizationId, page) =>
    listOfOrganization<Workspace>(database, organizationId, page, workspaces),

  names: (organizationId) =>
    database.rows(
      'select id, name from workspaces where organization_id = $1 order by name, id',
      [organizationId],
      'workspace_names',
    ),

  change: database.inTransaction(async (tx, id, decide) => {
    const current = await find(tx, id, 'for no key update')
    return current && write(tx, current, decide(current))
  }),

  put: ({ id, organizationId }, decide) =>
    database
      .transaction(async (tx) => {
        if (!(await organizationExists(tx, organizationId))) return null
        return putOnly<Workspace>({
          find: () => find(tx, id, 'for no key update'),
          insert: () => {
            const { values, events } = decide(null)
            const text = `${insertWorkspace} on conflict do nothing returning ${columns}`
            return changeRow(tx, text, [id, organizationId, values.name], events)
          },
          change: (current) => write(tx, current, decide(current)),
        })
      })
      .catch(withoutOrganization),

  remove: database.inTransaction(async (tx, id, admit) => {
    const workspace = await find(tx, id)
    // The lock keeps an approval from naming the workspace while it is deleted.
    if (!workspace || !(await lockOrganization(tx, workspace.organizationId))) return false
    const row = await tx.row<Workspace>(
      `delete from workspaces where id = $1 and organization_id = $2 returning ${columns}`,
      [id, workspace.organizationId],
    )
    if (!row) return false
    const events = admit(row)
    await tx.query(
      `update installs set workspace_ids = array_remove(workspace_ids, $2), updated_at = now()
         where organization_id = $1 and $2 = any(workspace_ids) and ended_at is null`,
      [workspace.organizationId, id],
    )
    await tx.query(
      `update key_sets set workspace_ids = array_remove(workspace_ids, $2), updated_at = now()
         where organization_id = $1 and $2 = any(workspace_ids)`,
      [workspace.organizationId, id],
    )
    await insertAuditEvents(tx, events)
    return true
  }),

  ...createWorkspaceMembers(database),
})
