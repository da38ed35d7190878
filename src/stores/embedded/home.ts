import { createHash, randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Account, canReach, chooseAccount, isRoot } from './account.ts'

export interface Home {
  /** Belongs to Postgres alone: data, log, and possibly the socket and a copy of the binaries. */
  directory: string
  data: string
  sockets: string
  account: Account | null
}

/** Alternatives when the account cannot reach the requested directory. Only the first one is permanent. */
const elsewhere = ['/var/lib', '/var/tmp']
/** A file in the requested directory with the path of the alternative directory. */
export const homeRecord = 'postgres-is-at'
export const socketFile = '.s.PGSQL.5432'
const hourMs = 3_600_000

/**
 * Creates a data directory. If root creates it, the account of Postgres can pass through to the database, whatever the
 * umask; what is in it cannot be listed. Existing directories stay as they are.
 */
export async function makeDataDirectory(asked: string): Promise<void> {
  const path = resolve(asked)
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined || !isRoot()) return
  for (let made = path; made.startsWith(first); made = dirname(made)) await chmod(made, 0o711)
}

export async function prepareHome(asked: string, log: (line: string) => void): Promise<Home> {
  await makeDataDirectory(asked)
  const parent = await realpath(asked)
  const recorded = await readFile(join(parent, homeRecord), 'utf8').catch(() => null)
  const wanted = recorded?.trim() || join(parent, 'postgres')
  if (recorded !== null && !(await stat(wanted).catch(() => null))) {
    const advice = `to start with an empty database, remove ${join(parent, homeRecord)}`
    throw new Error(`the database of ${parent} was at ${wanted}, which no longer exists; ${advice}`)
  }
  const account = await chooseAccount(wanted)
  let directory = wanted
  if (account && !(await canReach(account, dirname(wanted)))) {
    directory = await recordPlace(parent, await moveAway(wanted, account))
    log(`uid ${account.uid} cannot reach ${parent}: the database is at ${directory}`)
  }
  await ownDirectory(directory, account)
  directory = await realpath(directory)
  await removeOldScratch(directory)
  const sockets = await socketDirectory(directory, account)
  return { directory, data: join(directory, 'data'), sockets, account }
}

export const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

/** A scratch path, to be renamed when complete. Scratch paths of killed processes are removed after a while. */
export const scratchPath = (home: Home, kind: string): string =>
  join(home.directory, `new-${kind}-${process.pid}-${randomBytes(4).toString('hex')}`)

async function removeOldScratch(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith('new-')) continue
    const path = join(directory, name)
    const found = await stat(path).catch(() => null)
    if (found && Date.now() - found.mtimeMs > hourMs) await rm(path, { recursive: true })
  }
}

async function moveAway(wanted: string, account: Account): Promise<string> {
  // Existing data must not be replaced by an empty database.
  if (await stat(join(wanted, 'data')).catch(() => null)) {
    throw new Error(`uid ${account.uid} cannot reach ${wanted}: chmod o+x the folders above it`)
  }
  for (const place of elsewhere) {
    // Random, not derived from the path: another installation at the same path must not find this one's data.
    const directory = join(place, `latchkey-${randomBytes(8).toString('hex')}`)
    if (!(await canReach(account, place))) continue
    if (await succeeds(ownDirectory(directory, account))) return directory
  }
  throw new Error(`uid ${account.uid} cannot reach ${wanted}: choose another data directory`)
}

/** Several first starts may run at once. One path is recorded, and all of them use it. */
async function recordPlace(parent: string, place: string): Promise<string> {
  const path = join(parent, homeRecord)
  const fresh = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`
  await writeFile(fresh, `${place}\n`)
  try {
    await link(fresh, path)
    return place
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    await rm(place, { recursive: true })
    return (await readFile(path, 'utf8')).trim()
  } finally {
    await rm(fresh)
  }
}

/** A socket's path may have 103 bytes on macOS, 107 on Linux. */
async function socketDirectory(home: string, account: Account | null): Promise<string> {
  const fits = (directory: string) => Buffer.byteLength(join(directory, socketFile)) < 100
  if (fits(home)) return home
  for (const place of [tmpdir(), '/tmp']) {
    const directory = join(place, `latchkey-${hashOf(home)}`)
    if (!fits(directory) || (account && !(await canReach(account, place)))) continue
    await ownDirectory(directory, account)
    return directory
  }
  throw new Error(`the path ${home} is too long for a Unix socket: choose a shorter data directory`)
}

/**
 * Creates a directory that only its owner can read. Refuses an existing one of another user, which an attacker may
 * have put there.
 */
async function ownDirectory(directory: string, account: Account | null): Promise<void> {
  await mkdir(directory, { mode: 0o700 }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(directory)
  const uid = account?.uid ?? process.getuid?.()
  if (account && found.isDirectory() && found.uid === 0) {
    await chown(directory, account.uid, account.gid)
  } else if (!found.isDirectory() || found.uid !== uid) {
    throw new Error(`${directory} belongs to uid ${found.uid}: run as that user`)
  }
  await chmod(directory, 0o700)
}

const hashOf = (path: string): string =>
  createHash('sha256').update(path).digest('hex').slice(0, 16)
