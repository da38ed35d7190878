import pg from 'pg'
import { CommandError, exitCodes } from '#dist/cli/exit-codes.js'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#dist/stores/embedded/launcher.js'

const key = 0x1a7c_de30
const dataApiDatabase = 'data_platform'
/** The name in older versions, whose tables the data API refuses. It has sample data only. */
const olderDatabase = 'data_api'

/** The Postgres of the demo, for this demo alone. */
export interface DemoPostgres {
  /** Where its data is. */
  directory: string
  /** The address of a separate database for the data API; created when missing. */
  dataApiUrl(): Promise<string>
  stop(): Promise<void>
}

const connect = async ({ connection }: EmbeddedPostgres) => {
  const client = new pg.Client({ ...connection, database: 'postgres', ssl: false })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const alreadyRuns = (directory: string, others: string[]) => {
  const server = others.find((name) => name.startsWith('server '))
  return new CommandError(
    exitCodes.failed,
    `the demo with the data in ${directory} already runs${server ? ` (${server})` : ''}`,
    [`use it, or stop it first; its addresses are in ${directory}/app.env`],
  )
}

/**
 * Starts the Postgres of the demo. Two demos on the same data would change each other's addresses, so the second one is
 * refused.
 * @throws CommandError
 */
export const openDemoPostgres = async (directory: string): Promise<DemoPostgres> => {
  const postgres = await startEmbeddedPostgres({ directory, name: 'demo' })
  const client = await connect(postgres)
  const stop = async () => {
    await client.end()
    await postgres.stop()
  }
  const { rows } = await client.query(`select pg_try_advisory_lock(${key}) as mine`)
  if (!rows[0].mine) {
    const others = await postgres.others()
    await stop()
    throw alreadyRuns(directory, others)
  }
  return {
    directory: postgres.directory,
    dataApiUrl: async () => {
      await client.query(`drop database if exists ${olderDatabase} with (force)`)
      const found = await client.query('select from pg_database where datname = $1', [
        dataApiDatabase,
      ])
      if (!found.rowCount)
        await client.query(`create database ${dataApiDatabase} template template0`)
      const { host, port, user } = postgres.connection
      const query = new URLSearchParams({ host, port: String(port) })
      return `postgres://${user}@/${dataApiDatabase}?${query}`
    },
    stop,
  }
}
