import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Test } from 'tap'
import { chooseAccount } from '../../src/stores/embedded/account.ts'
import { freePort } from './free-port.ts'
import { temporaryDirectory } from './temporary-directory.ts'

export interface Pooler {
  /** Of the same database, through the pooler. */
  url: string
  /** Current connections to Postgres, and clients of the pooler. */
  counts(): Promise<{ servers: number; clients: number }>
}

/** [1, 18] of "PgBouncer 1.18.0"; null: it is not installed. */
const findVersion = (): [number, number] | null => {
  try {
    const said = execFileSync('pgbouncer', ['--version'], { encoding: 'utf8', stdio: 'pipe' })
    const [, major, minor] = /(\d+)\.(\d+)/.exec(said) ?? []
    return [Number(major), Number(minor)]
  } catch {
    return null
  }
}

const version = findVersion()
/** Support of named statements: from 1.21. */
export const keepsStatements =
  version !== null && (version[0] > 1 || (version[0] === 1 && version[1] >= 21))

/** Why it is not available; in CI it must be. */
export const noPooler = version === null ? 'NOT TESTED: a pooler, pgbouncer is not installed' : null

const settings = (server: URL, port: number, serverConnections: number, statements: number) => `
[databases]
* = host=${server.hostname} port=${server.port} user=${server.username} password=${server.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
admin_users = admin
pool_mode = transaction
default_pool_size = ${serverConnections}
max_client_conn = 500
${keepsStatements ? `max_prepared_statements = ${statements}` : ''}
`

const isUp = async (port: number) => {
  const client = new pg.Client(`postgres://admin@127.0.0.1:${port}/pgbouncer`)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

const start = async (
  t: Test,
  databaseUrl: string,
  serverConnections: number,
  statements: number,
) => {
  const directory = await temporaryDirectory('pgbouncer')
  const account = await chooseAccount(directory) // It refuses to run as root.
  const port = await freePort()
  const file = join(directory, 'pgbouncer.ini')
  await writeFile(file, settings(new URL(databaseUrl), port, serverConnections, statements))
  if (account) {
    await chown(directory, account.uid, account.gid)
    await chown(file, account.uid, account.gid)
  }
  const child = spawn('pgbouncer', ['--quiet', file], { ...account, cwd: '/', stdio: 'ignore' })
  const ended = once(child, 'exit')
  const killNow = () => void child.kill('SIGKILL')
  process.once('exit', killNow)
  t.teardown(async () => {
    process.off('exit', killNow)
    killNow()
    await ended
    await rm(directory, { recursive: true, force: true })
  })
  while (!(await isUp(port))) {
    if (child.exitCode !== null) return null
    await sleep(20)
  }
  return port
}

/**
 * A PgBouncer in transaction mode before the Postgres of this URL. @param serverConnections fewer
 * than its clients, so that they share @param statements named statements that it keeps for each
 * connection, if supported
 */
export const startPooler = async (
  t: Test,
  databaseUrl: string,
  serverConnections: number,
  statements = 0,
): Promise<Pooler> => {
  let port: number | null = null
  for (let tries = 0; port === null && tries < 5; tries++)
    port = await start(t, databaseUrl, serverConnections, statements)
  if (port === null) throw new Error('pgbouncer does not start')
  const { pathname } = new URL(databaseUrl)
  const admin = async (statement: string) => {
    const client = new pg.Client(`postgres://admin@127.0.0.1:${port}/pgbouncer`)
    await client.connect()
    const { rows } = await client.query(statement).finally(() => client.end())
    return rows.filter((row) => row.database === pathname.slice(1)).length
  }
  return {
    url: `postgres://latchkey@127.0.0.1:${port}${pathname}`,
    counts: async () => ({
      servers: await admin('show servers'),
      clients: await admin('show clients'),
    }),
  }
}
