import type { Database } from '../connection/database.ts'
import { createLongestLifetimeStore } from './longest-lifetime.ts'
import { createSigningKeyStore } from './signing-keys.ts'
import { createTokenReachStore } from './token-reaches.ts'

export const tokenStores = (database: Database) => ({
  longestLifetime: createLongestLifetimeStore(database),
  signingKeys: createSigningKeyStore(database),
  tokenReaches: createTokenReachStore(database),
})
