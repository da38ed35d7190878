// The store of the server that is replaced: opened read-only, and read row by row in one snapshot.
import { access } from 'node:fs/promises'
import { unescape as decoded } from 'node:querystring'
import { promisify } from 'node:util'
import { CommandError, exitCodes, usageError } from '../exit-codes.ts'
import { secretFromEnvironment } from '../secret-input.ts'
import type { Terminal } from '../terminal.ts'

/** All values as text: times in UTC, and booleans as the database writes them. */
export type Row = Readonly<Record<string, string | null>>

interface Driver {
  rows(sql: string): AsyncIterable<Row> | Iterable<Row>
  /** A statement with one column, `name`: the columns of a table. */
  columns(table: string): string
  /** The same for the table to which a foreign key refers. */
  references(table: string, column: string): string
  close(): unknown
}

const connectMs = 10_000
const rowsAtOnce = 2000

const unreachable = (message: string, hint?: string) =>
  new CommandError(exitCodes.unreachable, message, hint ? [hint] : [])

const openPostgres = async (url: URL): Promise<Driver> => {
  const { default: pg } = await import('pg')
  const client = new pg.Client({
    connectionString: url.href,
    connectionTimeoutMillis: connectMs,
    application_name: 'latchkey takeover',
    types: { getTypeParser: () => (text: unknown) => text } as never,
  })
  client.on('error', () => undefined) // the failing statement throws too
  await client.connect()
  await client.query("set time zone 'UTC'; set cursor_tuple_fraction = 1")
  await client.query('begin transaction isolation level repeatable read, read only')
  return {
    async *rows(sql) {
      await client.query(`declare takeover no scroll cursor for ${sql}`)
      for (;;) {
        const { rows } = await client.query<Row>(`fetch ${rowsAtOnce} from takeover`)
        yield* rows
        if (rows.length < rowsAtOnce) break
      }
      await client.query('close takeover')
    },
    columns: (table) =>
      `select attname as name from pg_attribute where attrelid = to_regclass('"${table}"') and attnum > 0`,
    references: (table, column) =>
      `select r.relname as name from pg_constraint c join pg_class r on r.oid = c.confrelid
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
        where c.conrelid = to_regclass('"${table}"') and c.contype = 'f' and a.attname = '${column}'`,
    close: () => client.end(),
  }
}

const openMySql = async (url: URL): Promise<Driver> => {
  const { default: mysql } = await import('mysql2').catch(() => {
    throw unreachable('MySQL needs a package beside this program: npm install mysql2@3')
  })
  const connection = mysql.createConnection({
    uri: url.href,
    connectTimeout: connectMs,
    typeCast: (field) => field.string(),
  })
  connection.on('error', () => undefined) // the failing statement throws too
  await promisify(connection.connect.bind(connection))()
  const rows = (sql: string): AsyncIterable<Row> =>
    connection.query(sql).stream({ highWaterMark: rowsAtOnce })
  for (const sql of [
    "set time_zone = '+00:00', sql_mode = 'ANSI_QUOTES'",
    'set session transaction isolation level repeatable read',
    'start transaction with consistent snapshot, read only',
  ])
    for await (const _ of rows(sql));
  const inDatabase = (table: string) =>
    `where table_schema = database() and table_name = '${table}'`
  return {
    rows,
    columns: (table) =>
      `select column_name as name from information_schema.columns ${inDatabase(table)}`,
    references: (table, column) =>
      `select referenced_table_name as name from information_schema.key_column_usage
        ${inDatabase(table)} and column_name = '${column}' and referenced_table_name is not null`,
    close: promisify(connection.end.bind(connection)),
  }
}

const openSqlite = async (url: URL): Promise<Driver> => {
  const path = decoded(url.pathname)
  await access(path)
  // The oldest supported Node does not have it, nor its types.
  const { DatabaseSync } = Object(process.getBuiltinModule('node:sqlite'))
  if (!DatabaseSync)
    throw unreachable('this Node cannot read SQLite: run the command under npx -p node@24')
  const database = new DatabaseSync(path, { readOnly: true })
  database.exec('begin')
  const text = (value: unknown) => (value === null ? null : String(value))
  return {
    *rows(sql) {
      const statement = database.prepare(sql)
      statement.setReadBigInts(true)
      for (const row of statement.iterate())
        yield Object.fromEntries(Object.entries(row).map(([key, value]) => [key, text(value)]))
    },
    columns: (table) => `select name from pragma_table_info('${table}')`,
    references: (table, column) =>
      `select "table" as name from pragma_foreign_key_list('${table}') where "from" = '${column}'`,
    close: () => database.close(),
  }
}

const drivers: Record<string, (url: URL) => Promise<Driver>> = {
  'postgres:': openPostgres,
  'postgresql:': openPostgres,
  'mysql:': openMySql,
  'sqlite:': openSqlite,
}

/** `--from`, or the whole DSN from the environment, with the password. @throws CommandError */
const dsnOf = (terminal: Terminal, from: string | undefined): URL => {
  const text = from ?? secretFromEnvironment(terminal, 'TAKEOVER_FROM')
  if (text === undefined) throw usageError('--from is missing')
  const url = URL.canParse(text) ? new URL(text) : null
  // The text is not repeated: it may have a password.
  if (!url || !Object.hasOwn(drivers, url.protocol))
    throw usageError('--from must begin with postgres://, mysql:// or sqlite:///')
  const hasPassword = url.password !== '' || url.searchParams.has('password')
  if (from !== undefined && hasPassword)
    throw usageError('--from must not have a password: set TAKEOVER_PASSWORD, or TAKEOVER_FROM')
  const password = secretFromEnvironment(terminal, 'TAKEOVER_PASSWORD')
  if (password === undefined) return url
  url.password = encodeURIComponent(password)
  // A URL without a host has no place for it.
  if (url.host === '') url.searchParams.set('password', password)
  return url
}

/**
 * Opens the store named by `--from` or TAKEOVER_FROM. No error shows the password.
 * @throws CommandError 2 for a wrong DSN, 5 for a store that does not answer
 */
export const openOldStore = async (terminal: Terminal, from: string | undefined) => {
  const url = dsnOf(terminal, from)
  const given = [url.password, decoded(url.password), url.searchParams.get('password') ?? '']
  const secrets = given.filter(Boolean)
  const failed = (error: unknown) => {
    if (error instanceof CommandError) return error
    const [first = error] = (error as { errors?: unknown[] }).errors ?? []
    const { code, message } = first as { code?: string; message?: string }
    const text = secrets.reduce((clean, one) => clean.replaceAll(one, '…'), message || code || '')
    return unreachable('the old store cannot be read', text)
  }
  const driver = await (drivers[url.protocol] as typeof openSqlite)(url).catch((error) => {
    throw failed(error)
  })
  async function* rows(sql: string): AsyncGenerator<Row> {
    try {
      yield* driver.rows(sql)
    } catch (error) {
      throw failed(error)
    }
  }
  const names = async (sql: string) => {
    const found: (string | null | undefined)[] = []
    for await (const { name } of rows(sql)) found.push(name)
    return found
  }
  return { ...driver, rows, names, close: async () => void (await driver.close()) }
}

export type OldStore = Awaited<ReturnType<typeof openOldStore>>
