/** Hand-made stores of old servers, with the columns that matter, in each kind of database. */
import { createHash } from 'node:crypto'

type Value = string | number | null

/** A new table with its rows; the first row names the columns. */
export interface Table {
  name: string
  columns: string
  rows: Record<string, Value>[]
}

const literal = (value: Value) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)

/** Statements that every database takes. */
export const statementsOf = (tables: readonly Table[]): string[] =>
  tables.flatMap(({ name, columns, rows }) => [
    `create table ${name} (${columns})`,
    ...rows.map(
      (row) =>
        `insert into ${name} (${Object.keys(row).join(', ')}) values (${Object.values(row).map(literal).join(', ')})`,
    ),
  ])

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** bcrypt of "correct horse" by Devise, cost 4. */
export const bcrypt = '$2a$04$......................4tzyBTDzBGLzWJ1qSWz/y1Ib0tJmTFm'

export const at = (daysAgo: number) =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 19).replace('T', ' ')

const person = (id: number, email: string | null, encrypted_password = bcrypt) => ({ id, email, encrypted_password })
const token = (id: number, application_id: number | null, resource_owner_id: number | null, more: Record<string, Value> = {}) => ({
  id,
  application_id,
  resource_owner_id,
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
      ['hashed', sha256('secret-of-hashed'), 'https://a.example/cb\nhttp://a.example/cb', '', 'true'],
      ['plain', 'plain-secret-of-the-app-0123456789', 'https://b.example/cb', 'write unknown', 'true'],
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
      confidential: confidential === 'true' ? 1 : 0,
    })),
  },
  {
    name: 'oauth_access_grants',
    columns: 'id bigint primary key, application_id bigint, token varchar(255), code_challenge varchar(255)',
    rows: [
      { id: 1, application_id: 1, token: 'code-1', code_challenge: null },
      { id: 2, application_id: 2, token: 'code-2', code_challenge: 'challenge' },
    ],
  },
  {
    name: 'oauth_access_tokens',
    columns:
      'id bigint primary key, application_id bigint, resource_owner_id bigint, token varchar(255), refresh_token varchar(255), scopes varchar(255), expires_in int, created_at timestamp null, revoked_at timestamp null, previous_refresh_token varchar(255)',
    rows: [
      token(1, 1, 1, { refresh_token: sha256('hashed-refresh-token') }),
      token(2, 1, 1, { previous_refresh_token: sha256('hashed-refresh-token'), created_at: at(0) }),
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
    ],
  },
]
