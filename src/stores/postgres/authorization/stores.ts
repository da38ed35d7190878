import type { Database } from '../connection/database.ts'
import { createConsentEndStore } from './consent-ends.ts'
import { createConsentStore } from './consents.ts'
import { createStandingStore } from './standing.ts'

export const authorizationStores = (database: Database) => ({
  consentEnds: createConsentEndStore(database),
  consents: createConsentStore(database),
  standings: createStandingStore(database),
})
