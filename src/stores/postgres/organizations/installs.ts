import type { Interface } from '../../../core/language/permissions.ts'
import type {
  ApprovalScene,
  InstallStore,
  InstallValues,
  StoredInstall,
} from '../../../core/organizations/installs.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { permissionsOfCatalogue } from '../clients/permission-catalogue.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { organizationExists } from '../connection/organization-exists.ts'
import { afterPlace, orderAndLimit, pageValues, placeColumn, toPage } from '../connection/paging.ts'
import { lockOrganization } from './organizations.ts'
import { ownWorkspaces } from './workspaces.ts'

interface InstallRow {
  id: string
  organization_id: string
  client_id: string
  permissions: string[]
  declined_permissions: string[]
  workspace_ids: string[] | null
  installed_by: string | null
  suspended: boolean
  created_at: Date
  updated_at: Date
}

const columns = `id, organization_id, client_id, permissions, declined_permissions, workspace_ids, installed_by,
  suspended_at is not null as suspended, created_at, updated_at`

const toInstall = (row: InstallRow): StoredInstall => ({
  id: row.id,
  organizationId: row.organization_id,
  clientId: row.client_id,
  permissions: row.permissions,
  declinedPermissions: row.declined_permissions,
  workspaceIds: row.workspace_ids,
  installedBy: row.installed_by,
  suspended: row.suspended,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const findLive = async (on: Queryable, organizationId: string, clientId: string) => {
  const { rows } = await on.query<InstallRow>(
    `select ${columns} from installs
     where organization_id = $1 and client_id = $2 and ended_at is null`,
    [organizationId, clientId],
  )
  return rows[0] ? toInstall(rows[0]) : null
}

/** Reads all data that an approval depends on; the organization must be locked. */
const readScene = async (
  tx: Queryable,
  organizationId: string,
  clientId: string,
  asked: readonly string[],
): Promise<ApprovalScene | null> => {
  // The key share lock keeps the app from being deleted before the install refers to it.
  const app = await tx.query<{ interface: Interface; permissions: string[] }>(
    'select interface, permissions from apps where client_id = $1 for key share',
    [clientId],
  )
  if (!app.rows[0]) return null
  const requests = await tx.query<{ user_id: string }>(
    `select user_id from install_requests
     where organization_id = $1 and client_id = $2 and decided_at is null for update`,
    [organizationId, clientId],
  )
  return {
    app: app.rows[0],
    workspaceIds: await ownWorkspaces(tx, organizationId, asked),
    live: await findLive(tx, organizationId, clientId),
    requestedBy: requests.rows.map((row) => row.user_id),
  }
}

const upsert = async (
  tx: Queryable,
  organizationId: string,
  clientId: string,
  values: InstallValues,
) => {
  const { rows } = await tx.query<InstallRow>(
    `insert into installs
       (id, organization_id, client_id, permissions, workspace_ids, installed_by, suspended_at,
        declined_permissions)
     values ($1, $2, $3, $4, $5, $6, case when $7 then now() end, $8)
     on conflict (organization_id, client_id) where ended_at is null
     do update set permissions = $4, workspace_ids = $5, declined_permissions = $8,
       updated_at = now(),
       suspended_at = case when $7 then coalesce(installs.suspended_at, now()) end
     returning ${columns}`,
    [
      values.id,
      organizationId,
      clientId,
      values.permissions,
      values.workspaceIds,
      values.installedBy,
      values.suspended,
      values.declinedPermissions,
    ],
  )
  return toInstall(rows[0]!)
}

export const createInstallStore = (database: Database): InstallStore => ({
  approve: (organizationId, clientId, asked, decidedBy, decide) =>
    database.transaction(async (tx) => {
      if (!(await lockOrganization(tx, organizationId))) return null
      const scene = await readScene(tx, organizationId, clientId, asked)
      if (!scene) return null
      const { values, events } = decide(scene)
      if (events.length === 0) return scene.live
      await permissionsOfCatalogue(tx, scene.app.interface, values.permissions)
      const install = await upsert(tx, organizationId, clientId, values)
      await tx.query(
        `update install_requests set decided_at = now(), decided_by = $4, decision = 'approved'
         where organization_id = $1 and client_id = $2 and user_id = any($3) and decided_at is null`,
        [organizationId, clientId, scene.requestedBy, decidedBy],
      )
      await insertAuditEvents(tx, events)
      return install
    }),

  live: (organizationId, clientId) => findLive(database, organizationId, clientId),

  list: async (organizationId, page) => {
    if (!(await organizationExists(database, organizationId))) return null
    const { rows } = await database.query<InstallRow & { place: string }>(
      `select ${columns}, ${placeColumn('id')} from installs
       where ${afterPlace('id')} and organization_id = $4 and ended_at is null ${orderAndLimit('id')}`,
      [...pageValues(page), organizationId],
    )
    return toPage(rows, page, toInstall)
  },

  end: (organizationId, clientId, admit) =>
    database.transaction(async (tx) => {
      if (!(await lockOrganization(tx, organizationId))) return false
      const live = await findLive(tx, organizationId, clientId)
      if (!live) return false
      const events = admit(live)
      await tx.query('update installs set ended_at = now(), updated_at = now() where id = $1', [
        live.id,
      ])
      await insertAuditEvents(tx, events)
      return true
    }),
})
