import { execFileSync, spawn } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Home, scratchPath } from './home.ts'
import type { Address } from './lease.ts'
import type { PostgresBinaries } from './package.ts'

export interface PidFile extends Address {
  pid: number
  /** Process id and start time: no two servers share both. */
  identity: string
  ready: boolean
}

/** The pid file that the server on this data wrote; the server may be dead. */
export async function readPidFile(home: Pick<Home, 'data'>): Promise<PidFile | null> {
  const text = await readFile(join(home.data, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , started, port, host, , , status] = text.split('\n')
  if (!pid || !port || !host) return null
  const ready = status?.trim() === 'ready'
  return { pid: Number(pid), port: Number(port), host, identity: `${pid} ${started}`, ready }
}

/** Is this process the server of this data? Process ids are reused; the working directory is proof. */
export function serves(pid: number, home: Home): boolean {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === home.data
    return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], quiet).includes('postgres')
  } catch {
    return false
  }
}

const quiet = { encoding: 'utf8', stdio: 'pipe' } as const

/** Only what Postgres needs: our own environment contains secrets. */
export const environment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, LC_ALL: 'C' })

/** Starts a server that outlives this process. Of several started at once, Postgres lets one run. */
export async function launch(binaries: PostgresBinaries, home: Home) {
  const log = scratchPath(home, 'log')
  const file = await open(log, 'ax', 0o600)
  if (home.account) await file.chown(home.account.uid, home.account.gid)
  const child = spawn(binaries.postgres, ['-D', home.data, ...serverSettings(home)], {
    cwd: home.directory,
    // A new container numbers processes from 1, so a stale pid file may name our parent process.
    env: { ...environment(), PG_GRANDPARENT_PID: String(process.ppid) },
    detached: true,
    stdio: ['ignore', file.fd, file.fd],
    ...home.account,
  })
  child.unref()
  let exited = false
  let refused: Error | undefined
  child.once('exit', () => {
    exited = true
  })
  child.once('error', (error) => {
    exited = true
    refused = error
  })
  await file.close()
  return {
    exited: () => exited,
    /** Call when a server is ready: keeps the log if it is the launched one. */
    async settle(pid: number) {
      if (pid === child.pid) await rename(log, join(home.directory, 'postgres.log'))
      else await rm(log, { force: true })
    },
    /** Call after the exit; throws if waiting cannot help. */
    async giveWay() {
      const output = await readFile(log, 'utf8')
      await rm(log, { force: true })
      const reason = refused?.message ?? output.split('\n').find((line) => line.includes('FATAL'))
      if (!reason || !/lock file|shared memory block/.test(reason)) {
        throw new Error(`cannot start the embedded Postgres: ${reason ?? output.trim()}`)
      }
      await removeStalePidFile(home)
    },
  }
}

function serverSettings(home: Home): string[] {
  const settings = {
    listen_addresses: '',
    port: '5432',
    unix_socket_directories: `"${home.sockets.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Postgres trusts a pid file even if its number now belongs to another process of the same user. */
async function removeStalePidFile(home: Home): Promise<void> {
  const path = join(home.data, 'postmaster.pid')
  const before = await stat(path).catch(() => null)
  await sleep(50)
  const pidFile = await readPidFile(home)
  const isHalfWritten = pidFile === null && before !== null && Date.now() - before.mtimeMs > 5000
  if (isHalfWritten || (pidFile && !serves(pidFile.pid, home))) {
    await rm(path, { force: true })
    await rm(join(home.sockets, '.s.PGSQL.5432.lock'), { force: true })
  }
}

/** Stops the server: sessions end, committed data is on disk. */
export async function shutDown(home: Home, log: (line: string) => void): Promise<void> {
  const pidFile = await readPidFile(home)
  if (!pidFile) return
  if (!serves(pidFile.pid, home)) {
    return log('the embedded Postgres runs in another container: not stopped')
  }
  process.kill(pidFile.pid, 'SIGINT')
  const deadline = Date.now() + 30_000
  // Watches the pid file, not the process: an orphan stays a zombie where no init process reaps it.
  while ((await readPidFile(home))?.identity === pidFile.identity) {
    if (Date.now() > deadline)
      return log('the embedded Postgres has not stopped yet: no longer waiting for it')
    await sleep(5)
  }
}
