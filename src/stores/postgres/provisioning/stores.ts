import type { Database } from '../connection/database.ts'
import { createWorkspaceStore } from '../organizations/workspaces.ts'
import { directoryGroups, workspaceGroups } from './group-kinds.ts'
import { createGroups } from './groups.ts'
import { createRoleGroups } from './role-groups.ts'
import { createScimTokenStore } from './scim-tokens.ts'
import { createScimUserStore } from './scim-users.ts'

export const provisioningStores = (database: Database) => ({
  scimGroups: {
    workspaces: createGroups(database, workspaceGroups(database, createWorkspaceStore(database))),
    roles: createRoleGroups(database),
    groups: createGroups(database, directoryGroups(database)),
  },
  scimTokens: createScimTokenStore(database),
  scimUsers: createScimUserStore(database),
})
