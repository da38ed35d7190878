import type { Database } from '../connection/database.ts'
import { createLongestLifetimeStore, createTokenReachStore } from './access-tokens.ts'
import { createSigningKeyStore } from './signing-keys.ts'

export const tokenStores = (database: Database) => ({
  longestLifetime: createLongestLifetimeStore(database),
  signingKeys: createSigningKeyStore(database),
  tokenReaches: createTokenReachStore(database),
})
