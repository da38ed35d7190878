import type { Database } from '../connection/database.ts'
import { createMasterKeyStore } from './master-keys.ts'
import { createOperatorTokenStore } from './operator-tokens.ts'
import { createOperatorGrantStore } from './operators.ts'

export const credentialStores = (database: Database) => ({
  masterKeyStore: createMasterKeyStore(database),
  operatorTokens: createOperatorTokenStore(database),
  operators: createOperatorGrantStore(database),
})
