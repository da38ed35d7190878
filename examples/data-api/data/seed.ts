import type { Queryable } from './database.ts'
import { insertRows } from './rows.ts'
import { customers, type Sample, tasks } from './samples.ts'
import { insertTable, type Place } from './tables.ts'

interface OrganizationSeed {
  id: string
  name: string
  members: { userId: string; name: string; email: string; role: string }[]
  workspaces: WorkspaceSeed[]
}

interface WorkspaceSeed {
  id: string
  name: string
  /** Members of the organization. */
  memberIds: string[]
}

/** Organizations and members, by the ids of the authorization server. */
export interface PlatformSeed {
  organizations: OrganizationSeed[]
}

const seedOrganization = async (tx: Queryable, { id, name, members }: OrganizationSeed) => {
  await tx.query(
    `insert into data_api.organizations (id, name) values ($1, $2)
     on conflict (id) do update set name = excluded.name`,
    [id, name],
  )
  // A user who is no longer listed loses every membership.
  await tx.query('delete from data_api.members where organization_id = $1', [id])
  await tx.query(
    `insert into data_api.members (organization_id, user_id, name, email, role)
     select $1, "userId", name, email, role
       from jsonb_to_recordset($2::jsonb) as m ("userId" text, name text, email text, role text)`,
    [id, JSON.stringify(members)],
  )
}

const seedWorkspace = async (
  tx: Queryable,
  organizationId: string,
  { id, name, memberIds }: WorkspaceSeed,
) => {
  await tx.query(
    `insert into data_api.workspaces (organization_id, id, name) values ($1, $2, $3)
     on conflict (id) do update set name = excluded.name`,
    [organizationId, id, name],
  )
  await tx.query(
    `insert into data_api.workspace_members (organization_id, workspace_id, user_id)
     select $1, $2, user_id from unnest($3::text[]) as m (user_id)`,
    [organizationId, id, memberIds],
  )
}

/** A workspace without a table gets a sample table. */
const seedTable = async (tx: Queryable, place: Place, { table, rows }: Sample) => {
  const { rowCount } = await tx.query(
    `select from data_api.tables
      where organization_id = $1 and workspace_id is not distinct from $2::text limit 1`,
    [place.organizationId, place.workspaceId],
  )
  if (rowCount) return
  const made = await insertTable(tx, place, table)
  const colsOf = (row: readonly unknown[]) =>
    row.map((value, at) => ({ fieldId: made.fields[at]?.id ?? '', value }))
  await insertRows(tx, made, rows.map(colsOf))
}

/** Writes the platform's data into the database; a second start only adds what is new. */
export const seedPlatform = async (tx: Queryable, platform: PlatformSeed): Promise<void> => {
  for (const organization of platform.organizations) {
    const { id: organizationId, workspaces } = organization
    await seedOrganization(tx, organization)
    await seedTable(tx, { organizationId, workspaceId: null }, customers)
    for (const workspace of workspaces) {
      await seedWorkspace(tx, organizationId, workspace)
      await seedTable(tx, { organizationId, workspaceId: workspace.id }, tasks)
    }
  }
}
