import type { Database } from '../connection/database.ts'
import { createLogoStore } from './logos.ts'

export const logoStores = (database: Database) => ({
  logos: createLogoStore(database),
})
