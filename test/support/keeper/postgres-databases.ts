import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrate } from '../../../src/stores/postgres/connection/migrate.ts'
import type { World } from '../world.ts'
import type { Content } from './protocol.ts'

export interface PostgresDatabases {
  create(content: Content): Promise<{ databaseUrl: string; world: World | null }>
  drop(url: string): Promise<void>
  close(): Promise<void>
}

const withTables = 'latchkey_tables'
const withWorld = 'latchkey_world'

/**
 * Creates and drops databases on one server, as copies of one that is migrated once, and of one in which a world is
 * created once. For a single test that costs more than it saves, so the first one creates its own.
 */
export const postgresDatabases = async (server: string): Promise<PostgresDatabases> => {
  const client = new pg.Client(withDatabase(server, 'postgres'))
  client.on('error', () => {}) // the next statement reports it
  await client.connect()
  const { rows } = await client.query(
    `select current_setting('server_version_num')::integer >= 150000 as logs`,
  )
  // By default, newer servers write each page of a copy to their log.
  const asFiles = rows[0].logs ? 'strategy file_copy' : ''
  const copy = (name: string, template: string) =>
    client.query(`create database ${name} template ${template} ${asFiles}`)
  let migrated: Promise<void> | undefined
  let settled: Promise<World> | undefined
  let worldsAsked = 0

  const createTables = async () => {
    await copy(withTables, 'template0')
    await migrate(withDatabase(server, withTables))
  }
  const createWorldOnce = async () => {
    await copy(withWorld, withTables)
    const [{ startLatchkey }, { createWorld }] = await Promise.all([
      import('../latchkey.ts'),
      import('../world.ts'),
    ])
    const running = await startLatchkey({
      databaseUrl: withDatabase(server, withWorld),
      redisUrl: null,
    })
    try {
      return await createWorld(running, 'all')
    } finally {
      await running.stop()
    }
  }
  const templateOf = async (content: Content) => {
    if (content === 'nothing') return { template: 'template0', world: null }
    migrated ??= createTables()
    await migrated
    if (content === 'tables' || worldsAsked++ === 0) return { template: withTables, world: null }
    settled ??= createWorldOnce()
    return { template: withWorld, world: await settled }
  }

  return {
    create: async (content) => {
      const { template, world } = await templateOf(content)
      const name = `test_${randomBytes(8).toString('hex')}`
      await copy(name, template)
      return { databaseUrl: withDatabase(server, name), world }
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
