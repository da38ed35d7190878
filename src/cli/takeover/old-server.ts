// What the takeover knows of an old server: its tables, and statements with common names for their columns.
import type { Row } from './old-store.ts'

/** A column, or another expression where the table does not have it. */
export type ColumnOf = (table: string, column: string, otherwise?: string) => string

/** A stored secret or token, as the fields of an import line. */
export type Stored = Readonly<Record<string, string>>

export interface OldServer {
  name: 'doorkeeper' | 'django'
  title: string
  /** `people` is used where no foreign key of `tokens` names another table. */
  tables: Record<'apps' | 'tokens' | 'access' | 'people', string>
  /** The column of `tokens` that refers to people. */
  person: string
  /** @param since the time from which revoked tokens are read, as the database compares it */
  statements(column: ColumnOf, people: string, since: string): Record<Statement, string>
  /** The fields of a line; null: the app has no secret. */
  secretOf(app: Row): Stored | null
  tokenOf(text: string): Stored
}

/**
 * - apps: `app` (the key in other statements), `client_id`, `name`, `secret`, `confidential`, `redirect_uris`, `scopes`,
 *   `grant_type`, `algorithm`
 * - people: `person`, `email`, `password`, `inactive`, names, `nth` (2 for the second account with an address)
 * - scopes: `app`, `scopes` of live tokens; `machine`: of tokens without a person
 * - tokens: live refresh tokens by `person` (null: none) and `app`, the newest first: `scopes`, `token`, `issued`; `pair`: its
 *   predecessor is live too; `reused`; `renewed`: the last change of its access token
 * - revoked: `person`, `app`, `token` and `issued` of refresh tokens that are revoked
 * - access: live access tokens: `app`, `issued` and `expires_in`, or `ends`
 * - repeated: `app`s that presented a refresh token twice
 */
export type Statement = 'apps' | 'people' | 'scopes' | 'tokens' | 'revoked' | 'access' | 'repeated'

const names = ['name', 'full_name', 'first_name', 'last_name', 'username']

export const peopleStatement = (column: ColumnOf, people: string, inactive: string) => {
  const email = column(people, 'email')
  return `select id as person, ${email} as email, ${inactive} as inactive,
    coalesce(${column(people, 'encrypted_password')}, ${column(people, 'password')}) as password,
    ${names.map((name) => `${column(people, name)} as ${name}`).join(', ')},
    row_number() over (partition by lower(${email}) order by id) as nth from "${people}" order by id`
}
