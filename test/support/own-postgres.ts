import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Test } from 'tap'
import { findSystemPostgres, startSystemPostgres, stopSystemPostgres } from './system-postgres.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const run = promisify(execFile)

/** A Postgres for one test, which may stop it at any time. */
export interface OwnPostgres {
  url: string
  /** Kills the server and its connections, without a checkpoint. */
  stop(): Promise<void>
  /** Starts it again on its port. */
  start(): Promise<void>
}

const bin = await findSystemPostgres()
export const noPostgres = bin === null && { skip: 'no Postgres server is installed' }

/** @param home a directory that the caller removes */
export const startOwnPostgres = async (t: Test, home?: string): Promise<OwnPostgres> => {
  if (bin === null) throw new Error('no Postgres server is installed')
  const directory = home ?? (await temporaryDirectory('own-postgres'))
  const server = await startSystemPostgres(bin, directory)
  const { data, uid, gid, url } = server
  const stop = () => stopSystemPostgres(server)
  t.teardown(async () => {
    await stop().catch(() => {}) // It may be stopped already.
    if (!home) await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  })
  const client = new pg.Client(url)
  await client.connect()
  // Other test servers may lose recent commits; this one is stopped to check that nothing is lost.
  await client.query('alter role current_user set synchronous_commit = on')
  await client.end()
  const { port } = new URL(url)
  const where = `-c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c port=${port}`
  const account = uid !== null && gid !== null ? { uid, gid } : {}
  return {
    url,
    stop,
    start: async () => {
      const args = ['-D', data, '-w', '-l', join(directory, 'system/log'), '-o', where, 'start']
      await run(join(bin, 'pg_ctl'), args, { ...account, cwd: '/' })
    },
  }
}
