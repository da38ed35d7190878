import type { Database } from '../connection/database.ts'
import { createAppChangeStore } from './app-changes.ts'
import { createAppOwnerStore } from './app-owners.ts'
import { createAppSecretStore } from './app-secrets.ts'
import { createAppStore } from './apps.ts'
import { isPublicOrigin } from './origins.ts'
import { createPermissionCatalogueStore } from './permission-catalogue.ts'
import { createResourceServerStore } from './resource-servers.ts'
import { createSuccessorStore } from './successors.ts'

export const clientStores = (database: Database) => ({
  appChanges: createAppChangeStore(database),
  appOwners: createAppOwnerStore(database),
  appSecrets: createAppSecretStore(database),
  apps: createAppStore(database),
  isPublicOrigin: isPublicOrigin(database),
  ownPermissions: createPermissionCatalogueStore(database),
  resourceServers: createResourceServerStore(database),
  successors: createSuccessorStore(database),
})
