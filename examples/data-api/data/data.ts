// What lives here: what both interfaces work with. data.ts opens it, tables.ts and rows.ts are what operations use,
// values.ts says what may be written and conditions.ts what may be looked for, events.ts tells of changes.
import pg from 'pg'
import { transaction } from './database.ts'
import { type Events, openEvents } from './events.ts'
import { createOrganizations, type Organizations } from './organizations.ts'
import { createRows, type Rows } from './rows.ts'
import { createSchema } from './schema.ts'
import { type PlatformSeed, seedPlatform } from './seed.ts'
import { createTables, type Tables } from './tables.ts'

export interface Data {
  tables: Tables
  rows: Rows
  organizations: Organizations
  events: Events
  close(): Promise<void>
}

const openPool = (connectionString: string) => {
  const pool = new pg.Pool({ connectionString, keepAlive: true, application_name: 'data API' })
  // Said of idle connections that broke; the pool replaces them, and who needs one then is told.
  pool.on('error', () => {})
  return pool
}

/**
 * Any number of instances may open one database at once.
 * @param platform who and what there is; null when the database knows it already
 * @throws Error when the database is away
 */
export const openData = async (
  databaseUrl: string,
  platform: PlatformSeed | null,
): Promise<Data> => {
  const pool = openPool(databaseUrl)
  try {
    await transaction(pool, async (tx) => {
      await createSchema(tx)
      if (platform) await seedPlatform(tx, platform)
    })
    const events = await openEvents(databaseUrl)
    return {
      tables: createTables(pool),
      rows: createRows(pool),
      organizations: createOrganizations(pool),
      events,
      close: async () => {
        await events.close()
        await pool.end()
      },
    }
  } catch (error) {
    await pool.end()
    throw error
  }
}
