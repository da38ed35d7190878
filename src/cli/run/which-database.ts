/** Which database a command works on. Only a server creates one. */
import { join, resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import { standingOf } from '../../stores/embedded/standing.ts'
import { usageError } from '../exit-codes.ts'
import { issuerAt, serverUrl } from '../server-address.ts'
import type { Terminal } from '../terminal.ts'

const noDatabase = async (directory: string) => {
  const demo = join(directory, 'demo')
  const hasDemo = (await standingOf(demo)) !== 'absent'
  return usageError(`there is no database in ${directory}`, [
    'this command works on the database of a server, and does not create one',
    "run it in the server's folder, or set LATCHKEY_DATA to its data directory, or DATABASE_URL to its database",
    ...(hasDemo ? [`for the demo: LATCHKEY_DATA=${demo}`] : []),
  ])
}

const otherServer = (directory: string, url: string) =>
  usageError(
    `the server at ${url} does not use the database in ${directory}, and no other server does`,
    [
      `to work on the database of that server, set LATCHKEY_DATA to its data directory, or DATABASE_URL to its database`,
      `to work on ${directory}, set LATCHKEY_URL to the address where its own server will listen`,
    ],
  )

/**
 * Refuses to create a packaged database, and to start one while the server that is meant uses another.
 * @throws CommandError
 */
export const requireDatabase = async (
  { databaseUrl, dataDirectory }: Pick<Config, 'databaseUrl' | 'dataDirectory'>,
  terminal: Pick<Terminal, 'env'>,
): Promise<void> => {
  if (databaseUrl !== null) return
  const directory = resolve(dataDirectory)
  const standing = await standingOf(directory)
  if (standing === 'absent') throw await noDatabase(directory)
  if (standing === 'running') return
  const url = serverUrl(terminal)
  if ((await issuerAt(url)) !== null) throw otherServer(directory, url)
}

/** Host, port and name: never the user or the password. */
const placeOf = (databaseUrl: string) => {
  if (!URL.canParse(databaseUrl)) return 'another Postgres'
  const { host, pathname, searchParams } = new URL(databaseUrl)
  return `${host || searchParams.get('host') || 'localhost'}${pathname}`
}

/**
 * Names the database for people, without secrets.
 * @param others names of the other processes that use the packaged Postgres
 */
export const databaseWords = (
  { databaseUrl, dataDirectory }: Pick<Config, 'databaseUrl' | 'dataDirectory'>,
  others: readonly string[],
): string => {
  if (databaseUrl !== null) return `Database: ${placeOf(databaseUrl)} (DATABASE_URL)`
  const servers = [...new Set(others.filter((name) => name.startsWith('server ')))]
  const use = servers.length === 0 ? 'no server uses it now' : `used by the ${servers.join(', ')}`
  return `Database: ${resolve(dataDirectory)} (${use})`
}
