import type { Attachments } from './attached.ts'
import type { Queryable } from './database.ts'
import { newId } from './ids.ts'
import { readSamples, seedTables } from './samples.ts'

interface OrganizationSeed {
  id: string
  name: string
  /** Of its texts: an ICU collation of Postgres, such as `de-x-icu`. It stays as first given. */
  collation?: string
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

const seedOrganization = async (tx: Queryable, organization: OrganizationSeed) => {
  const { id, name, members, collation = 'und-x-icu' } = organization
  await tx.query(
    `insert into data_api.organizations (id, name, collation_name) values ($1, $2, $3)
     on conflict (id) do update set name = excluded.name`,
    [id, name, collation],
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

/** A team of all members, if there is no other. */
const seedTeam = async (tx: Queryable, organizationId: string) => {
  await tx.query(
    `insert into data_api.teams (organization_id, id, name) select $1, $2, 'Everyone'
      where not exists (select from data_api.teams where organization_id = $1)`,
    [organizationId, newId('tem')],
  )
  await tx.query(
    `insert into data_api.team_members (organization_id, team_id, user_id)
     select m.organization_id, t.id, m.user_id from data_api.members m
       join data_api.teams t on t.organization_id = m.organization_id and t.name = 'Everyone'
      where m.organization_id = $1 on conflict do nothing`,
    [organizationId],
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

/** Writes the platform's data into the database; a second start only adds what is new. */
export const seedPlatform = async (
  tx: Queryable,
  platform: PlatformSeed,
  attachments: Attachments,
): Promise<void> => {
  const samples = await readSamples()
  for (const organization of platform.organizations) {
    const { id: organizationId, workspaces } = organization
    const seed = (place: { interface: 'legacy' | 'current'; workspaceId: string | null }) =>
      seedTables(tx, { organizationId, ...place }, attachments)
    await seedOrganization(tx, organization)
    await seedTeam(tx, organizationId)
    await seed({ interface: 'legacy', workspaceId: null })(samples.legacy)
    await seed({ interface: 'current', workspaceId: null })(samples.organization)
    for (const workspace of workspaces) {
      await seedWorkspace(tx, organizationId, workspace)
      const [userId = null] = workspace.memberIds
      await seed({ interface: 'current', workspaceId: workspace.id })(samples.workspace, userId)
    }
  }
}
