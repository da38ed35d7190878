// Data of both interfaces: data.ts opens it, tables.ts and rows.ts have the operations, values.ts
// the values that can be written, conditions.ts the conditions of filters, events.ts the change
// events.
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
  // Emitted for idle connections that broke. The pool replaces them; a caller without a connection
  // gets an error.
  pool.on('error', () => {})
  return pool
}

/**
 * Several instances may open one database at once. @param platform organizations and members; null
 * if the database has them already @throws Error if the database is unavailable
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
