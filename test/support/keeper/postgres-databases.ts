import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrate } from '../../../src/stores/postgres/connection/migrate.ts'

export interface PostgresDatabases {
  /** @returns the URL of a new database; `empty`: without tables */
  create(empty: boolean): Promise<string>
  drop(url: string): Promise<void>
  close(): Promise<void>
}

const template = 'latchkey_template'

/**
 * Creates and drops databases on one server. Those with tables are copies of one that is migrated
 * once.
 */
export const postgresDatabases = async (server: string): Promise<PostgresDatabases> => {
  const client = new pg.Client(withDatabase(server, 'postgres'))
  client.on('error', () => {}) // the next statement reports it
  await client.connect()
  let migrated: Promise<void> | undefined

  const migrateTemplate = async () => {
    await client.query(`create database ${template} template template0`)
    await migrate(withDatabase(server, template))
  }

  return {
    create: async (empty) => {
      if (!empty) {
        migrated ??= migrateTemplate()
        await migrated
      }
      const name = `test_${randomBytes(8).toString('hex')}`
      await client.query(`create database ${name} template ${empty ? 'template0' : template}`)
      return withDatabase(server, name)
    },
    drop: async (url) => {
      const name = new URL(url).pathname.slice(1)
      await client.query(`drop database if exists ${name} with (force)`)
    },
    close: () => client.end(),
  }
}

function withDatabase(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
