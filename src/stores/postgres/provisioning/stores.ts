import type { Database } from '../connection/database.ts'
import { createWorkspaceStore } from '../organizations/workspaces.ts'
import { createRoleGroups } from './role-groups.ts'
import { createScimTokenStore } from './scim-tokens.ts'
import { createScimUserStore } from './scim-users.ts'
import { createWorkspaceGroups } from './workspace-groups.ts'

export const provisioningStores = (database: Database) => ({
  scimGroups: {
    workspaces: createWorkspaceGroups(database, createWorkspaceStore(database)),
    roles: createRoleGroups(database),
  },
  scimTokens: createScimTokenStore(database),
  scimUsers: createScimUserStore(database),
})
