import type { Database } from '../connection/database.ts'
import { createDelegationStore } from './delegations.ts'

export const delegationStores = (database: Database) => ({
  delegations: createDelegationStore(database),
})
