import { access, stat } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { EmbeddedPostgres } from '../../../src/stores/embedded/launcher.ts'

type Connection = EmbeddedPostgres['connection']

/** The first column of the first row. */
export async function ask(connection: Connection, text: string): Promise<unknown> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query({ text, rowMode: 'array' }).finally(() => client.end())
  return rows[0]?.[0]
}

/** Identifies a server. */
export const serverIdentity = (connection: Connection): Promise<unknown> =>
  ask(connection, 'select pg_postmaster_start_time()::text')

export const serverPid = async (connection: Connection): Promise<number> =>
  Number(await ask(connection, `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)`))

export const isServing = ({ host, port }: Connection): Promise<boolean> =>
  access(join(host, `.s.PGSQL.${port}`)).then(
    () => true,
    () => false,
  )

/** The user that runs the server. */
export const socketOwner = async ({ host, port }: Connection): Promise<number> =>
  (await stat(join(host, `.s.PGSQL.${port}`))).uid
