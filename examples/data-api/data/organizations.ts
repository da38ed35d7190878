import type pg from 'pg'

export interface Member {
  userId: string
  name: string
  email: string
  role: string
}

interface Workspace {
  id: string
  name: string
}

const memberColumns = 'm.user_id as "userId", m.name, m.email, m.role'

/** The members and workspaces of an organization. */
export const createOrganizations = (pool: pg.Pool) => ({
  workspaces: async (organizationId: string): Promise<Workspace[]> => {
    const { rows } = await pool.query<Workspace>(
      'select id, name from data_api.workspaces where organization_id = $1 order by name, id',
      [organizationId],
    )
    return rows
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
})

export type Organizations = ReturnType<typeof createOrganizations>
