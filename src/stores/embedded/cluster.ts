import { spawn } from 'node:child_process'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Home, scratchPath } from './home.ts'
import { owner } from './lease.ts'
import type { PostgresBinaries } from './package.ts'
import { environment } from './postmaster.ts'

/** Written to postgresql.conf once, for a small machine; the operator may edit them there. */
const settings = {
  shared_buffers: '32MB',
  max_connections: '100',
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '32MB',
  max_wal_size: '256MB',
  io_method: 'sync',
  max_logical_replication_workers: '0',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_min_error_statement: 'panic',
  log_line_prefix: '%m [%p] ',
}

/**
 * Creates the data directory on first start. It is built in a scratch directory and renamed when complete: a killed
 * process leaves no half-built directory, and of several processes the first one wins.
 */
export async function ensureCluster(
  binaries: PostgresBinaries,
  home: Home,
  log: (line: string) => void,
): Promise<void> {
  const made = await majorVersion(home)
  if (made === binaries.major) return
  if (made !== null) {
    const versions = `was created by Postgres ${made} and the package is Postgres ${binaries.major}`
    throw new Error(`${home.data} ${versions}: dump and restore it, or set DATABASE_URL`)
  }
  log(`first start: creating a database in ${home.directory}`)
  const scratch = scratchPath(home, 'data')
  try {
    await initdb(binaries, home, scratch)
    await rename(scratch, home.data)
    await syncDirectory(home.directory)
  } catch (error) {
    await rm(scratch, { recursive: true, force: true })
    if ((await majorVersion(home)) === null) throw error
  }
}

const majorVersion = (home: Home): Promise<string | null> =>
  readFile(join(home.data, 'PG_VERSION'), 'utf8').then(
    (text) => text.trim(),
    () => null,
  )

async function initdb(binaries: PostgresBinaries, home: Home, data: string): Promise<void> {
  const args = [
    `--pgdata=${data}`,
    `--username=${owner}`,
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--auth-local=trust',
    '--auth-host=reject',
    '--no-instructions',
    ...Object.entries(settings).map(([name, value]) => `--set=${name}=${value}`),
  ]
  const child = spawn(binaries.initdb, args, {
    cwd: home.directory,
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    ...home.account,
  })
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  }).catch((cause) => {
    throw new Error(`cannot run the embedded Postgres (${cause.code}): set DATABASE_URL`, { cause })
  })
  if (code === 0) return
  const reason = output.split('\n').find((line) => /error|FATAL/.test(line)) ?? output.trim()
  throw new Error(
    `cannot create a database in ${home.directory}: ${reason || `initdb exited with ${code}`}`,
  )
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path)
  await handle.sync().finally(() => handle.close())
}
