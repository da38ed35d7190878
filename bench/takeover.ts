// A takeover from Doorkeeper at several sizes: time and memory of the command, and of the server that imports its lines.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '#dist/stores/postgres/connection/migrate.js'
import { residentBytes } from './process-usage.ts'
import { operatorToken, programs, startProgram } from './program.ts'
import { row } from './report.ts'
import { envOf } from './seeded.ts'
import { type BenchStores, startStores } from './stores.ts'

/** `rss`: the highest resident memory in bytes. */
export interface Move {
  name: string
  grants: number
  lines: number
  seconds: number
  rss: number
}

const apps = 50

/** A person with a live and a revoked token for each grant. `lossy`: nobody keeps the password. */
const fill = (grants: number, lossy: boolean) => `
  create table users (id bigint primary key, email text, encrypted_password text);
  create table oauth_applications (id bigint primary key, name text, uid text, secret text, redirect_uri text,
    scopes text, confidential boolean);
  create table oauth_access_tokens (id bigint primary key, application_id bigint, resource_owner_id bigint, token text,
    refresh_token text, scopes text, expires_in int, created_at timestamp, revoked_at timestamp, previous_refresh_token text);
  insert into users select n, 'p' || n || '@old.test', ${lossy ? "'md5:1'" : 'null'} from generate_series(1, ${grants}) n;
  insert into oauth_applications select n, 'App ' || n, 'app-' || n, 'a-secret-of-the-old-server', 'https://app.test/cb', '', true
    from generate_series(1, ${apps}) n;
  insert into oauth_access_tokens select n, 1 + n % ${apps}, n, 'a' || n, md5('r' || n), '', 7200, now(), null, ''
    from generate_series(1, ${grants}) n;
  insert into oauth_access_tokens select ${grants} + n, 1 + n % ${apps}, n, 'b' || n, md5('s' || n), '', 7200, now(), now(), ''
    from generate_series(1, ${grants}) n`

const widths = [20, 10, 10, 10, 8]

const print = ({ name, grants, lines, seconds, rss }: Move) =>
  row(widths, [
    ...[name, String(grants), String(lines)],
    ...[seconds.toFixed(1), (rss / 1024 / 1024).toFixed(0)],
  ])

const inDatabase = async (url: string, sql: string) => {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

/** The packaged Postgres listens on a socket, whose DSN has no host. */
const dsnOf = (url: string, database: string) => {
  const { username, searchParams } = new URL(url.replace('@/', '@socket/'))
  searchParams.set('user', username)
  return `postgres:///${database}?${searchParams}`
}

const measured = async (child: ChildProcess, pid: number) => {
  const began = performance.now()
  let rss = 0
  let code: number | null = null
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (status) => {
      code = status ?? 1
      resolve()
    })
  })
  while (code === null) {
    try {
      // A process that is exiting has no memory any more, or no file.
      rss = Math.max(rss, residentBytes(pid) || 0)
    } catch {}
    await Promise.race([ended, sleep(20)])
  }
  return { code: code as number, rss, seconds: (performance.now() - began) / 1000 }
}

const command = (args: string[], env: NodeJS.ProcessEnv) =>
  spawn(process.execPath, [programs.bundled, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: 'ignore',
  })

const linesIn = async (file: string) => (await readFile(file, 'utf8')).split('\n').length - 1

const importInto = async (stores: BenchStores, file: string, grants: number): Promise<Move> => {
  await migrate(stores.databaseUrl)
  const server = await startProgram({ stores, env: envOf(stores, randomBytes(32)) })
  try {
    const child = command(['import', file, '--json'], {
      LATCHKEY_URL: `http://127.0.0.1:${server.port}`,
      LATCHKEY_OPERATOR_TOKEN: operatorToken,
    })
    const { code, ...move } = await measured(child, server.pid)
    if (code !== 0) throw new Error(`the import ended with ${code}`)
    return { name: 'server', grants, lines: await linesIn(file), ...move }
  } finally {
    await server.stop()
  }
}

/**
 * Prints each figure when it is measured.
 * @param sizes numbers of grants; the lines of the last one are imported
 */
export const measureTakeover = async (sizes: readonly number[]): Promise<Move[]> => {
  row(widths, ['', 'grants', 'lines', 'seconds', 'RSS MB'])
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-bench-'))
  const stores = await startStores()
  const moves: Move[] = []
  const add = (move: Move) => {
    moves.push(move)
    print(move)
  }
  const file = join(folder, 'lines.ndjson')
  const takeOver = async (grants: number, lossy: boolean) => {
    const name = `old_${grants}${lossy ? '_lossy' : ''}`
    await inDatabase(stores.databaseUrl, `create database ${name}`)
    const dsn = dsnOf(stores.databaseUrl, name)
    await inDatabase(dsn, fill(grants, lossy))
    const args = ['takeover', 'doorkeeper', '--organization', 'acme', '--out', file]
    const child = command(args, { TAKEOVER_FROM: dsn })
    const { code, ...move } = await measured(child, child.pid as number)
    if (code !== (lossy ? 6 : 0)) throw new Error(`the takeover ended with ${code}`)
    const lines = await linesIn(file)
    add({ name: lossy ? 'command, all lose' : 'command', grants, lines, ...move })
  }
  try {
    const largest = sizes.at(-1) ?? 0
    for (const grants of sizes) await takeOver(grants, false)
    await takeOver(largest, true)
    add(await importInto(stores, file, largest))
    return moves
  } finally {
    await stores.stop()
    await rm(folder, { recursive: true })
  }
}
