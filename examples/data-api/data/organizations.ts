import type pg from 'pg'
import type { Reach } from './reach.ts'

export interface Member {
  userId: string
  name: string
  email: string
  role: string
}

export interface Workspace {
  id: string
  name: string
}

export interface Team {
  id: string
  name: string
  members: Member[]
}

const memberColumns = 'm.user_id as "userId", m.name, m.email, m.role'

/** Organizations with their members, teams and workspaces. */
export const createOrganizations = (pool: pg.Pool) => ({
  organization: async (id: string): Promise<{ id: string; name: string } | null> => {
    const { rows } = await pool.query<{ id: string; name: string }>(
      'select id, name from data_api.organizations where id = $1',
      [id],
    )
    return rows[0] ?? null
  },

  /** Those that the caller reaches. */
  workspaces: async ({ organizationId, reaches }: Reach): Promise<Workspace[]> => {
    const { rows } = await pool.query<Workspace>(
      'select id, name from data_api.workspaces where organization_id = $1 order by name, id',
      [organizationId],
    )
    return rows.filter(({ id }) => reaches(id))
  },

  members: async (organizationId: string): Promise<Member[]> => {
    const { rows } = await pool.query<Member>(
      `select ${memberColumns} from data_api.members m
        where m.organization_id = $1 order by m.name, m.user_id`,
      [organizationId],
    )
    return rows
  },

  workspaceMembers: async (organizationId: string, workspaceId: string): Promise<Member[]> => {
    const { rows } = await pool.query<Member>(
      `select ${memberColumns} from data_api.members m
         join data_api.workspace_members w
           on w.organization_id = m.organization_id and w.user_id = m.user_id
        where m.organization_id = $1 and w.workspace_id = $2 order by m.name, m.user_id`,
      [organizationId, workspaceId],
    )
    return rows
  },

  teams: async (organizationId: string): Promise<Team[]> => {
    const [teams, members] = await Promise.all([
      pool.query<Workspace>(
        'select id, name from data_api.teams where organization_id = $1 order by name, id',
        [organizationId],
      ),
      pool.query<Member & { teamId: string }>(
        `select t.team_id as "teamId", ${memberColumns} from data_api.members m
           join data_api.team_members t
             on t.organization_id = m.organization_id and t.user_id = m.user_id
          where m.organization_id = $1 order by m.name, m.user_id`,
        [organizationId],
      ),
    ])
    return teams.rows.map((team) => ({
      ...team,
      members: members.rows
        .filter(({ teamId }) => teamId === team.id)
        .map(({ teamId: _, ...member }) => member),
    }))
  },
})

export type Organizations = ReturnType<typeof createOrganizations>
