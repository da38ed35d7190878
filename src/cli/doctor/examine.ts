// The checks of `latchkey doctor`. None changes anything.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createLogger } from '../../app/log.ts'
import { openStores, redisAdvice, type Stores } from '../../app/stores.ts'
import { versionOf } from '../../app/version.ts'
import { type Config, readConfig } from '../../config/config.ts'
import { ConfigError } from '../../config/config-error.ts'
import { readDoorConfig } from '../../config/door.ts'
import { createMasterKeys } from '../../core/credentials/master-keys.ts'
import { createKeyring } from '../../core/crypto/keyring.ts'
import { createMailSender } from '../../http/mail/mail-sender.ts'
import { newestMigration } from '../../stores/postgres/connection/migrate.ts'
import { CommandError, messageOf, usageError } from '../exit-codes.ts'
import { createOperatorApi, fetchServer } from '../operator-api.ts'
import { requireDatabase } from '../run/which-database.ts'
import { issuerAt, operatorToken, operatorUrl } from '../server-address.ts'
import type { Terminal } from '../terminal.ts'

/** How far clocks are ahead of that of this machine, in milliseconds. */
type Clocks = Map<string, number>

const silent = createLogger('silent')
const patience = 5000 // ms
/** The seconds of a header are whole, and its answer takes a while. */
const allowedDrift = 5000 // ms

/** Thrown by a check. */
const wrong = (problem: string, change: string) => usageError(problem, [change])

/** @param change what helps when the work fails. @param work throws what is wrong */
const check = async (name: string, change: string, work: () => unknown) => {
  try {
    await work()
    return { name, ok: true }
  } catch (error) {
    if (error instanceof CommandError)
      return { name, ok: false, problem: error.message, change: error.hints.join('; ') }
    const { cause = error } = error as Error // of a store that is unavailable
    const problem = error instanceof ConfigError ? error.faults.join('; ') : messageOf(cause)
    return { name, ok: false, problem, change }
  }
}

/** Packages with code of the machine, and packages of this project in the current folder, such as that of a data API. */
const checkLibraries = async () => {
  for (const name of ['argon2', 'bcrypt', 'sharp']) createRequire(import.meta.url)(name)
  for (const name of ['@latchkey-auth/verify', '@latchkey-auth/sdk']) {
    const path = join('node_modules', name, 'package.json')
    const text = await readFile(path, 'utf8').catch(() => '{}')
    const { version = versionOf() } = JSON.parse(text) as { version?: string }
    if (version !== versionOf())
      throw wrong(`${name} is ${version}`, `install ${versionOf()}, the version of this program`)
  }
}

const checkMigrations = async ({ latestMigration }: Stores) => {
  const [theirs, ours] = [await latestMigration(), newestMigration()]
  if (theirs > ours)
    throw wrong(`a newer version has migrated the database (${theirs})`, 'install it here too')
  if (theirs < ours)
    throw wrong(`the database lacks ${ours}`, 'restart the server with this version')
}

const checkKeys = async ({ masterKeys: [first, ...others], masterKeyStore: store }: Stores) => {
  if (!first) return
  const keys = createMasterKeys({ store, keyring: createKeyring([first, ...others]) })
  const isLost = (id: string | null) => id === null || !keys.keyIds.includes(id)
  const lost = (await keys.status()).filter(({ keyId }) => isLost(keyId))
  const tables = lost.map(({ table }) => table).join(', ')
  if (lost.length > 0)
    throw wrong(`rows of ${tables} need another key`, 'add it to LATCHKEY_PREVIOUS_MASTER_KEYS')
}

const checkRedis = async ({ checks, warnings }: Stores) => {
  // Its settings are read at the same time, in three round trips.
  for (let trip = 0; trip < 5; trip++) await checks.redis?.()
  const [one] = warnings().map((name) => name.replace('redis_', '') as keyof typeof redisAdvice)
  if (one) throw wrong(...(redisAdvice[one].split(': ') as [string, string]))
}

const storeChecks = async (config: Config, terminal: Terminal, clocks: Clocks) => {
  const reach = 'start the database, or correct DATABASE_URL'
  let stores = null as Stores | null
  const checks = [
    await check('database', reach, async () => {
      await requireDatabase(config, terminal)
      stores = await openStores(config, silent, undefined, false)
      await stores.checks.postgres()
      for (const [name, now] of Object.entries(stores.clocks)) clocks.set(name, now() - Date.now())
    }),
  ]
  const opened = stores
  if (!opened) return checks
  if (checks[0]?.ok) {
    checks.push(await check('migrations', reach, () => checkMigrations(opened)))
    checks.push(await check('keys', reach, () => checkKeys(opened)))
  }
  checks.push(await check('redis', 'start Redis, or correct REDIS_URL', () => checkRedis(opened)))
  await opened.close()
  return checks
}

const checkMail = async ({ mail }: Config) => {
  if (mail === null) return
  const sender = createMailSender(mail)
  await sender.verify().catch(({ code, responseCode = '' }) => {
    throw new Error(`the mail server ${mail.server.host} cannot be used (${code} ${responseCode})`)
  })
  sender.close()
}

const checkServer = async (url: string, expected: string) => {
  const issuer = await issuerAt(url, patience)
  if (issuer === null)
    throw wrong(`no server answers at ${url}`, 'start it, or set LATCHKEY_URL to its address')
  if (issuer !== expected)
    throw wrong(`the server at ${url} is ${issuer}`, 'set ISSUER to that, or LATCHKEY_URL')
  // A proxy hides it, and answers without `down`.
  const ready = await fetchServer(`${url}/health/ready`)
  const { down = [] } = (await ready.json().catch(() => ({}))) as { down?: string[] }
  if (down.length > 0) throw wrong(`the server lacks ${down.join(' and ')}`, 'see its log')
}

const checkOperatorApi = async (url: string, terminal: Terminal, clocks: Clocks) => {
  let version = versionOf()
  const onHeaders = (headers: Headers) => {
    version = headers.get('latchkey-version') ?? version
    clocks.set('the server', Date.parse(headers.get('date') ?? '') - Date.now() || 0)
  }
  const token = await operatorToken(terminal)
  await createOperatorApi({ url, token, onHeaders }).call('GET', '/apps?limit=1')
  if (version !== versionOf())
    throw wrong(`the server is ${version}, not ${versionOf()}`, 'install one version of both')
}

const checkProxy = async ({ issuer, place: { base }, trustedProxies }: Config) => {
  if (!issuer.startsWith('https:')) return
  if (trustedProxies.length === 0)
    throw wrong(
      'the server takes the address of the proxy for that of every client',
      'set TRUSTED_PROXIES to the address of the proxy, which must overwrite X-Forwarded-For',
    )
  if ((await issuerAt(base, patience)) !== issuer)
    throw wrong(`${base} does not lead to the server`, 'correct ISSUER, or the proxy behind it')
  const { headers } = await fetchServer(`${base}/api/admin/v1/apps`)
  if (headers.get('www-authenticate')?.includes('latchkey-operator'))
    throw wrong(
      'everyone can reach the Operator API through the proxy',
      'let it answer 404 for /api/admin, /metrics and /health, as those in deploy do',
    )
}

export const checkClocks = (clocks: Clocks) => {
  const drifted = [...clocks].filter(([, ahead]) => Math.abs(ahead) > allowedDrift)
  const words = drifted.map(([of, ahead]) => `${of} is ${Math.round(ahead / 1000)} s ahead of here`)
  if (words.length > 0) throw wrong(words.join(', '), 'set the clocks of all machines by NTP')
}

/** A machine with a door has no server and no store. */
const isDoor = ({ RESOURCE_SERVER_ID, DATABASE_URL, DATABASE_URL_FILE }: NodeJS.ProcessEnv) =>
  Boolean(RESOURCE_SERVER_ID && !DATABASE_URL && !DATABASE_URL_FILE)

export const examine = async (terminal: Terminal) => {
  const { env } = terminal
  const clocks: Clocks = new Map()
  let config = null as Config | null
  const checks = [
    await check('settings', 'correct them: docs/configuration.md', () => {
      if (isDoor(env)) readDoorConfig(env)
      else config = readConfig(env)
    }),
    await check('libraries', 'install the package again, with this Node', checkLibraries),
  ]
  const known = config
  if (known) {
    checks.push(...(await storeChecks(known, terminal, clocks)))
    checks.push(
      await check('mail', 'correct SMTP_URL, or start its server', () => checkMail(known)),
    )
  }
  const url = await operatorUrl(terminal)
  const expected = known?.issuer ?? (env.ISSUER || url)
  const server = await check('server', 'start it', () => checkServer(url, expected))
  checks.push(server)
  const operator = () => checkOperatorApi(url, terminal, clocks)
  if (server.ok) checks.push(await check('operator API', 'set LATCHKEY_OPERATOR_TOKEN', operator))
  if (known) checks.push(await check('proxy', 'see its log', () => checkProxy(known)))
  return [...checks, await check('clocks', '', () => checkClocks(clocks))]
}
