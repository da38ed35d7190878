/** Hand-made stores of old servers: the columns that matter, in each kind of database. */
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import mysql, { type Connection } from 'mysql2/promise'
import pg from 'pg'
import type { Test } from 'tap'
import { chooseAccount } from '../../../src/stores/embedded/account.ts'
import { freePort } from '../../support/free-port.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

type Value = string | number | boolean | null
type Values = Record<string, Value>

interface Table {
  name: string
  columns: string
  rows: Values[]
}

const literal = (value: Value) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)

/** Statements that every database takes. */
const statementsOf = (tables: readonly Table[]): string[] =>
  tables.flatMap(({ name, columns, rows }) => [
    `create table ${name} (${columns})`,
    ...rows.map((row) => {
      const values = Object.values(row).map(literal)
      return `insert into ${name} (${Object.keys(row).join(', ')}) values (${values.join(', ')})`
    }),
  ])

export const createInPostgres = async (url: string, tables: readonly Table[]) => {
  const client = new pg.Client(url)
  await client.connect()
  for (const one of statementsOf(tables)) await client.query(one)
  await client.end()
}

interface Sqlite {
  DatabaseSync: new (path: string) => { exec(sql: string): void; close(): void }
}
const sqliteModule: string = 'node:sqlite'
/** null on the oldest supported Node. */
export const sqlite: Sqlite | null = await import(sqliteModule).catch(() => null)

export const createInSqlite = (path: string, tables: readonly Table[]) => {
  if (!sqlite) throw new Error('this Node has no SQLite')
  const database = new sqlite.DatabaseSync(path)
  for (const one of statementsOf(tables)) database.exec(one)
  database.close()
}

/** A MariaDB of its own. @returns the DSN of a new database, without the password, which is `hidden` */
export const startMariadb = async (t: Test) => {
  const directory = await temporaryDirectory('mariadb')
  const data = join(directory, 'data')
  const account = await chooseAccount(directory)
  await mkdir(data)
  if (account) await chown(data, account.uid, account.gid)
  const options = { ...account, cwd: data }
  const own = ['--no-defaults', `--datadir=${data}`]
  await promisify(execFile)(
    'mariadb-install-db',
    [...own, '--auth-root-authentication-method=normal', '--skip-test-db'],
    options,
  )
  const port = await freePort()
  const address = [`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${data}/socket`]
  const child = spawn('mariadbd', [...own, ...address], { ...options, stdio: 'ignore' })
  const ended = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
    await rm(directory, { recursive: true, force: true })
  })
  let root: Connection | null = null
  while (!root) {
    root = await mysql.createConnection(`mysql://root@127.0.0.1:${port}`).catch(() => null)
    if (child.exitCode !== null) throw new Error('MariaDB does not start')
    await sleep(100)
  }
  const databases: string[] = []
  await root.query("create user reader@127.0.0.1 identified by 'hidden'")
  await root.query('grant select on *.* to reader@127.0.0.1')
  return {
    create: async (tables: readonly Table[]) => {
      const name = `old${databases.push('')}`
      await root.query(`create database ${name}`)
      await root.query(`use ${name}`)
      for (const one of statementsOf(tables)) await root.query(one)
      return `mysql://reader@127.0.0.1:${port}/${name}`
    },
    close: () => root.end(),
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A hash of the form of Devise. */
const bcrypt = '$2a$04$......................4tzyBTDzBGLzWJ1qSWz/y1Ib0tJmTFm'
/** Of Django: `pbkdf2_sha256$…` with enough bytes. */
const pbkdf2 = `pbkdf2_sha256$1000$salt$${Buffer.alloc(32, 7).toString('base64')}`

const day = 86_400_000
const today = Date.parse('2026-01-20T12:00:00Z')
const at = (daysAgo: number) =>
  new Date(today - daysAgo * day).toISOString().slice(0, 19).replace('T', ' ')
const soon = '2036-01-01 00:00:00'
const yesterday = new Date(Date.now() - day).toISOString().slice(0, 19).replace('T', ' ')

const person = (id: number, email: string | null, encrypted_password = bcrypt) => ({
  id,
  email,
  encrypted_password,
})
const token = (id: number, app: number | null, owner: number | null, more: Values = {}) => ({
  id,
  application_id: app,
  resource_owner_id: owner,
  token: `access-${id}`,
  refresh_token: `refresh-${id}`,
  scopes: 'write',
  expires_in: 7200,
  created_at: at(10),
  revoked_at: null,
  previous_refresh_token: '',
  ...more,
})

/** Doorkeeper 5.5 with each kind of loss. */
export const doorkeeperTables = (): Table[] => [
  {
    name: 'users',
    columns: 'id bigint primary key, email varchar(255), encrypted_password varchar(255)',
    rows: [
      person(1, 'Ann@example.com'),
      person(2, ''),
      person(3, 'ann@Example.com'),
      person(4, 'dan@example.com', 'md5:1234'),
      person(5, 'not an address'),
      person(6, null),
    ],
  },
  {
    name: 'oauth_applications',
    columns:
      'id bigint primary key, name varchar(255), uid varchar(255), secret varchar(255), redirect_uri text, scopes varchar(255), confidential boolean',
    rows: [
      [
        'hashed',
        sha256('secret-of-hashed'),
        'https://a.example/cb\nhttp://a.example/cb',
        '',
        'true',
      ],
      [
        'plain',
        'plain-secret-of-the-app-0123456789',
        'https://b.example/cb',
        'write unknown',
        'true',
      ],
      ['bcrypt', bcrypt, 'https://c.example/cb', '', 'true'],
      ['public', 'unused', 'com.example.app:/cb', '', 'false'],
      ['strange', '$9$unknown', '', '', 'true'],
      ['bad id', 'plain-secret', 'https://d.example/cb', '', 'true'],
    ].map(([uid = '', secret = '', redirect_uri = '', scopes = '', confidential = ''], at) => ({
      id: at + 1,
      name: `App | ${uid}`,
      uid,
      secret,
      redirect_uri,
      scopes,
      confidential: confidential === 'true',
    })),
  },
  {
    name: 'oauth_access_tokens',
    columns:
      'id bigint primary key, application_id bigint, resource_owner_id bigint, token varchar(255), refresh_token varchar(255), scopes varchar(255), expires_in int, created_at timestamp null, revoked_at timestamp null, previous_refresh_token varchar(255)',
    rows: [
      token(1, 1, 1, { refresh_token: sha256('hashed-refresh-token') }),
      token(2, 1, 1, {
        previous_refresh_token: sha256('hashed-refresh-token'),
        created_at: at(0),
        expires_in: 2_000_000_000,
      }),
      token(3, 2, 1, { revoked_at: at(1) }),
      token(4, 2, 4, { created_at: at(3), scopes: 'write odd' }),
      token(5, 2, 2),
      token(6, null, 1),
      token(7, 2, 99),
      token(8, 6, 1),
      token(9, 3, 1, { refresh_token: null, expires_in: null }),
      token(10, 3, null, { refresh_token: null }),
      token(11, 4, 4, { previous_refresh_token: 'refresh-gone' }),
      token(12, 4, 4, { previous_refresh_token: 'refresh-gone', created_at: at(2) }),
      token(13, 2, 4, { revoked_at: yesterday }),
      token(14, 2, 99, { revoked_at: yesterday }),
    ],
  },
]

const access = (
  id: number,
  app: number,
  owner: string | null,
  scope: string,
  more: Values = {},
) => ({
  id,
  application_id: app,
  user_id: owner,
  token: `access-${id}`,
  scope,
  expires: soon,
  created: at(5),
  updated: at(5),
  source_refresh_token_id: null,
  ...more,
})
const refresh = (
  id: number,
  app: number,
  owner: string,
  accessToken: number | null,
  more: Values = {},
) => ({
  id,
  application_id: app,
  user_id: owner,
  token: `refresh-${id}`,
  access_token_id: accessToken,
  created: at(5),
  revoked: null,
  ...more,
})
const djangoUser = (id: string, email: string, password = pbkdf2, is_active = true) => ({
  ...{ id, email, password, is_active },
  first_name: 'Ann',
  last_name: `of ${id.slice(0, 2)}`,
})
const [ann, bob, eve] = ['a', 'b', 'e'].map((letter) => letter.repeat(32)) as [
  string,
  string,
  string,
]

/** Django OAuth Toolkit with a user model of the site, whose ids are UUIDs without dashes. */
export const djangoTables = (): Table[] => [
  {
    name: 'accounts_member',
    columns:
      'id varchar(32) primary key, email varchar(254), password varchar(128), is_active boolean, first_name varchar(50), last_name varchar(50)',
    rows: [
      djangoUser(ann, 'ann@example.com'),
      djangoUser(bob, 'bob@example.com', '!unusable', false),
      djangoUser(eve, 'eve@example.com', 'md5$salt$900150983cd24fb0d6963f7d28e17f72'),
    ],
  },
  {
    name: 'oauth2_provider_application',
    columns:
      'id bigint primary key, client_id varchar(100), client_secret varchar(255), client_type varchar(32), authorization_grant_type varchar(44), redirect_uris text, name varchar(255), algorithm varchar(5)',
    rows: [
      ['code', pbkdf2, 'confidential', 'authorization-code', ''],
      ['plain', 'a-secret-that-is-stored-as-text', 'confidential', 'openid-hybrid', 'RS256'],
      ['public', '', 'public', 'implicit', ''],
      ['machine', pbkdf2, 'confidential', 'client-credentials', ''],
      ['password', 'md5$salt$900150983cd24fb0d6963f7d28e17f72', 'confidential', 'password', ''],
    ].map(
      ([client_id = '', client_secret = '', client_type = '', type = '', algorithm = ''], at) => ({
        ...{ id: at + 1, client_id, client_secret, client_type, algorithm },
        authorization_grant_type: type,
        redirect_uris:
          type === 'client-credentials'
            ? ''
            : `https://${client_id}.example/cb https://x.example/*`,
        name: '',
      }),
    ),
  },
  {
    name: 'oauth2_provider_accesstoken',
    columns:
      'id bigint primary key, application_id bigint, user_id varchar(32), token text, scope text, expires timestamp null, created timestamp null, updated timestamp null, source_refresh_token_id bigint',
    rows: [
      access(1, 1, ann, 'write openid'),
      access(2, 1, bob, 'write', { expires: at(1) }),
      access(3, 2, ann, 'write', { updated: at(1) }),
      access(4, 3, ann, 'write', { source_refresh_token_id: 4 }),
      access(5, 4, null, 'write'),
      access(6, 5, eve, ''),
    ],
  },
  {
    name: 'oauth2_provider_refreshtoken',
    columns:
      'id bigint primary key, application_id bigint, user_id varchar(32), token varchar(255), access_token_id bigint, created timestamp null, revoked timestamp null, foreign key (user_id) references accounts_member (id)',
    rows: [
      refresh(1, 1, ann, 1),
      refresh(2, 1, bob, 2),
      refresh(3, 2, ann, 3),
      refresh(4, 3, ann, null),
      refresh(5, 5, eve, 6),
      refresh(6, 1, ann, null, { revoked: at(2) }),
      refresh(7, 1, ann, null, { revoked: yesterday }),
      refresh(8, 1, ann, null, { revoked: yesterday, token: 'refresh-1' }),
    ],
  },
]
