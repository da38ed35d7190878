import type { Database } from '../connection/database.ts'
import { createAccessSweepStore } from './access-sweeper.ts'
import { createAssertionStore } from './assertions.ts'
import { createAudiencePeopleStore } from './audience-people.ts'
import { createConnectionStore } from './connections.ts'
import { createGrantStore } from './grants.ts'
import { createMigrationStore } from './migration.ts'
import { createRevocationStore } from './revocation.ts'

export const grantStores = (database: Database) => ({
  accessSweeper: createAccessSweepStore(database),
  assertions: createAssertionStore(database),
  audiencePeople: createAudiencePeopleStore(database),
  connections: createConnectionStore(database),
  grants: createGrantStore(database),
  migration: createMigrationStore(database),
  revocation: createRevocationStore(database),
})
