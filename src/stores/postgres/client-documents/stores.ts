import type { Database } from '../connection/database.ts'
import { clientUrlState, createAppReviewStore } from './app-reviews.ts'
import { createClientHostStore } from './client-hosts.ts'
import { createDocumentStore } from './documents.ts'

export const clientDocumentStores = (database: Database) => ({
  appReviews: createAppReviewStore(database),
  clientDocuments: createDocumentStore(database),
  clientHosts: createClientHostStore(database),
  clientUrlState: clientUrlState(database),
})
