// Data of both interfaces: data.ts opens it, tables.ts and rows.ts have the operations. types.ts has
// the types of fields, values.ts what can be written, columns.ts and operators.ts how a field is
// read and compared in SQL, words.ts which operators an interface has, indexes.ts what makes it
// fast, limits.ts what it may cost, reach.ts what a caller may see.
import pg from 'pg'
import type { Attachments } from './attached.ts'
import { transaction } from './database.ts'
import { createDocuments, type Documents } from './documents.ts'
import { type Events, openEvents } from './events.ts'
import { limits } from './limits.ts'
import { createOrganizations, type Organizations } from './organizations.ts'
import { createRows, type Rows } from './rows.ts'
import { createSchema } from './schema.ts'
import { type PlatformSeed, seedPlatform } from './seed.ts'
import { createTables, type Tables } from './tables.ts'
import { createViews, type Views } from './views.ts'

export interface Data {
  tables: Tables
  rows: Rows
  organizations: Organizations
  views: Views
  documents: Documents
  events: Events
  close(): Promise<void>
}

/**
 * For the planner: pages are small, and the disk has no moving parts. With a large cache it would take
 * the rows that a page reads in their order for a share of a scan that reads each block once.
 */
export const sessionOptions = '-c jit=off -c random_page_cost=1.1 -c effective_cache_size=64MB'

const openPool = (connectionString: string) => {
  const pool = new pg.Pool({
    connectionString,
    keepAlive: true,
    application_name: 'data API',
    statement_timeout: limits.statement,
    options: sessionOptions,
  })
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
  attachments: Attachments,
): Promise<Data> => {
  const pool = openPool(databaseUrl)
  try {
    await transaction(pool, async (tx) => {
      await createSchema(tx)
      if (platform) await seedPlatform(tx, platform, attachments)
    })
    const events = await openEvents(databaseUrl)
    return {
      tables: createTables(pool),
      rows: createRows(pool, attachments),
      organizations: createOrganizations(pool),
      views: createViews(pool),
      documents: createDocuments(pool),
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
