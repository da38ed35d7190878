// Settings from files: `--env-file`, and the folder of an installed server, as deploy/systemd has it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { secretSettings } from '../config/secret-files.ts'
import { messageOf, usageError } from './exit-codes.ts'
import { note, type Terminal } from './terminal.ts'

type Pair = readonly [name: string, value: string]

/** `NAME=value`, as systemd and Docker read it: no comment after a value, and quotes around it are optional. */
const pairOf = (line: string): Pair | null => {
  const text = line.trim()
  const at = text.indexOf('=')
  if (at < 1 || text.startsWith('#') || text.startsWith(';')) return null
  const name = text.slice(text.startsWith('export ') ? 'export '.length : 0, at).trim()
  const value = text.slice(at + 1).trim()
  const isQuoted = value.length > 1 && /^["']/.test(value) && value.endsWith(value.charAt(0))
  return [name, isQuoted ? value.slice(1, -1) : value]
}

/** Values that are there win. `NAME` and `NAME_FILE` are one setting. */
const withPairs = (env: NodeJS.ProcessEnv, pairs: readonly Pair[]): NodeJS.ProcessEnv => {
  const isNew = ([name]: Pair) => {
    const bare = name.replace(/_FILE$/, '')
    return !env[bare] && !env[`${bare}_FILE`]
  }
  return { ...env, ...Object.fromEntries(pairs.filter(isNew)) }
}

/** @throws CommandError when a file cannot be read */
const withFiles = (env: NodeJS.ProcessEnv, paths: readonly string[]): NodeJS.ProcessEnv =>
  paths.reduce((known, path) => {
    try {
      const pairs = readFileSync(path, 'utf8').split('\n').map(pairOf)
      return withPairs(known, pairs.filter(Boolean) as Pair[])
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException
      throw usageError(`the settings in ${path} cannot be read (${code})`)
    }
  }, env)

/** The secrets of the folder, by the names that the units give them: `master_key` for LATCHKEY_MASTER_KEY. */
const secretsIn = (folder: string): Pair[] => {
  const pathOf = (name: string) => join(folder, name.replace('LATCHKEY_', '').toLowerCase())
  const found = secretSettings.filter((name) => existsSync(pathOf(name)))
  return found.map((name) => [`${name}_FILE`, pathOf(name)])
}

/** With one of these, a command has a server of its own; so it has in a folder with ./data. */
const ownServer = ['ISSUER', 'LATCHKEY_URL', 'LATCHKEY_DATA', 'DATABASE_URL', 'DATABASE_URL_FILE']

/** The settings of the installed server. Those in latchkey.env win over those of the door. */
const withInstalled = (terminal: Terminal): NodeJS.ProcessEnv => {
  const { env, installed: folder = '' } = terminal
  if (!existsSync(folder) || existsSync('data') || ownServer.some((name) => env[name])) return env
  const files = readdirSync(folder).filter((name) => name.endsWith('.env'))
  const order = (name: string) => (name === 'latchkey.env' ? '' : name)
  const paths = files.sort((a, b) => (order(a) < order(b) ? -1 : 1)).map((one) => join(folder, one))
  if (paths.length === 0) return env
  try {
    const found = withPairs(withFiles(env, paths), secretsIn(join(folder, 'secrets')))
    note(terminal, `Settings: ${paths.join(', ')}`)
    return found
  } catch (error) {
    note(terminal, `${messageOf(error)}: run the command as root`)
    return env
  }
}

/**
 * The terminal with the settings of the files, or else of the installed server.
 * @param isService what starts it gives it its settings
 * @throws CommandError when a file cannot be read
 */
export const withSettings = (terminal: Terminal, paths: readonly string[], isService: boolean) => {
  if (paths.length > 0) return { ...terminal, env: withFiles(terminal.env, paths) }
  return isService ? terminal : { ...terminal, env: withInstalled(terminal) }
}
