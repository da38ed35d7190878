import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/stores/embedded/launcher.ts'

/** Starts the packaged Postgres, which keeps running if this process exits without stopping it. */
export async function startTestPostgres(directory: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ directory })
  const client = new pg.Client(postgres.connection)
  await client.connect()
  // Tests do not need durability.
  await client.query('alter system set fsync = off')
  await client.query('alter system set synchronous_commit = off')
  await client.query('select pg_reload_conf()')
  await client.end()
  return postgres
}

/** Stops one that a process left running. */
export async function stopTestPostgres(directory: string): Promise<void> {
  const { stop } = await startEmbeddedPostgres({ directory })
  await stop()
}
