/** Packages as npm packs them, and what npm installs of them in an empty folder. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** `npm test` and npx name the folder of this repository, and npm would install there. */
export const npmEnvironment: NodeJS.ProcessEnv = { ...process.env }
delete npmEnvironment.npm_config_local_prefix

/** Fails when the built parts that are packed do not belong to the present sources. */
export const checkBuilt = (...parts: string[]): Promise<unknown> =>
  run(process.execPath, [join(root, 'scripts/build.mjs'), '--check', ...parts])

/**
 * Packs a package, without scripts: a build would replace files that other tests read.
 * @returns the path of the tarball
 */
export const pack = async (folder: string, destination: string): Promise<string> => {
  const options = ['--ignore-scripts', '--silent', '--pack-destination', destination]
  await run('npm', ['pack', folder, ...options], { cwd: root })
  const [name] = (await readdir(destination)).filter((one) => one.endsWith('.tgz'))
  if (!name) throw new Error(`npm has not packed ${folder}`)
  return join(destination, name)
}

/** Errors of npm that say nothing about the package. */
const isAway = (error: unknown): boolean =>
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/.test(
    String(error),
  )

/** @returns whether it is installed: false if the registry of npm cannot be reached */
export const install = async (
  directory: string,
  tarball: string,
  ...options: string[]
): Promise<boolean> => {
  const quiet = ['--no-audit', '--no-fund', '--fetch-retries=1']
  try {
    // Without a prefix, npm would install in the next folder above that has a package.json.
    await run('npm', ['install', '--prefix', directory, ...quiet, ...options, tarball], {
      cwd: directory,
      env: npmEnvironment,
    })
    return true
  } catch (error) {
    if (isAway(error)) return false
    throw error
  }
}

const foldersIn = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)

/** Names of all packages in a folder, nested ones too. */
export const installedIn = (directory: string): string[] => {
  const modules = join(directory, 'node_modules')
  const names = foldersIn(modules).flatMap((name) =>
    name.startsWith('@') ? foldersIn(join(modules, name)).map((one) => `${name}/${one}`) : [name],
  )
  const nested = names
    .map((name) => join(modules, name))
    .filter((path) => foldersIn(path).includes('node_modules'))
  return [...names, ...nested.flatMap(installedIn)]
}
