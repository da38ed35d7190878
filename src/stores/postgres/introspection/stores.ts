import type { Database } from '../connection/database.ts'
import { createIntrospectionStore } from './introspection.ts'
import { createRevocationFeedStore } from './revocation-feed.ts'

export const introspectionStores = (database: Database) => ({
  introspection: createIntrospectionStore(database),
  revocationFeed: createRevocationFeedStore(database),
})
