import type { Database } from './database.ts'

/** The name of the latest migration of the schema. */
export const latestMigration = (database: Database) => async (): Promise<string> =>
  (await database.value<string>('select name from migrations order by name desc limit 1')) ?? ''
