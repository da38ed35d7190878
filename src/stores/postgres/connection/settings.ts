// Settings of a role, a database or a server that change what we read, or what our statements mean.
import pg from 'pg'

/** Poolers in transaction mode accept these at the start of a connection, and keep them for it. */
const kept = { DateStyle: 'ISO', TimeZone: 'UTC', standard_conforming_strings: 'on' }

/** Of a connection to Postgres itself. */
const own = {
  ...kept,
  array_nulls: 'on',
  bytea_output: 'hex',
  default_transaction_isolation: 'read committed',
  exit_on_error: 'off',
  extra_float_digits: '1',
  transform_null_equals: 'off',
}

/** Sent when a connection begins; they win over the settings of the role. */
interface Startup {
  getStartupConf(): Record<string, string>
}

const Client = pg.Client as unknown as new (config: pg.ClientConfig) => Startup

const clientWith = (settings: Record<string, string>) =>
  class extends Client {
    override getStartupConf() {
      return { ...super.getStartupConf(), ...settings }
    }
  } as unknown as typeof pg.Client

/** A connection that a pooler may serve. */
export const PooledClient = clientWith(kept)

/** A connection to Postgres itself. */
export const OwnClient = clientWith(own)

/** What each setting must be, behind whatever pooler; the first value is the advice. */
const needed: Record<string, readonly string[]> = {
  DateStyle: ['ISO, MDY', 'ISO, DMY', 'ISO, YMD'],
  TimeZone: ['UTC', 'Etc/UTC', 'GMT'],
  array_nulls: ['on'],
  bytea_output: ['hex'],
  client_encoding: ['UTF8'],
  default_transaction_isolation: ['read committed'],
  exit_on_error: ['off'],
  extra_float_digits: ['1', '2', '3'],
  server_encoding: ['UTF8', 'SQL_ASCII'],
  session_replication_role: ['origin', 'local'],
  standard_conforming_strings: ['on'],
  transform_null_equals: ['off'],
}

/** @throws Error that names a setting with which the server would misread its data */
export const checkSettings = async (database: {
  rows<Row extends object>(sql: string, values: unknown[]): Promise<Row[]>
}): Promise<void> => {
  const found = await database.rows<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1::text[])',
    [Object.keys(needed)],
  )
  const wrong = found.filter(({ name, setting }) => needed[name]?.includes(setting) === false)
  if (wrong.length === 0) return
  const said = wrong.map(
    ({ name, setting }) => `${name} is '${setting}' and must be '${needed[name]?.[0]}'`,
  )
  throw new Error(
    `Postgres has settings that change what is read: ${said.join(', ')}. Set them with ALTER ROLE or ALTER DATABASE`,
  )
}

/** Names the setting behind an error of a migration. */
export const explainSetting = (error: unknown): unknown => {
  const code = error instanceof pg.DatabaseError ? error.code : undefined
  if (code === '3F000')
    return new Error('search_path of the role names no schema that exists', { cause: error })
  return code === '25006'
    ? new Error('Postgres takes no writes: a standby, or default_transaction_read_only is on', {
        cause: error,
      })
    : error
}
