import type { Database } from '../connection/database.ts'
import { createAccessSweepStore } from './access-sweeper.ts'
import { createConsentEndStore } from './consent-ends.ts'
import { createConsentStore } from './consents.ts'
import { createDelegationStore } from './delegations.ts'
import { createStandingStore } from './standing.ts'

export const authorizationStores = (database: Database) => ({
  accessSweeper: createAccessSweepStore(database),
  consentEnds: createConsentEndStore(database),
  consents: createConsentStore(database),
  delegations: createDelegationStore(database),
  standings: createStandingStore(database),
})
