import type { UserinfoStore, UserProfile } from '../../../core/introspection/userinfo.ts'
import type { AccountStanding } from '../../../core/people/account-guard.ts'
import type { PeopleStore, Person } from '../../../core/people/person.ts'
import { batchedRead } from '../connection/batched-reads.ts'
import { type Columns, computed, plain, selected } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'

export const columnsOfPerson: Columns<Person> = {
  ...plain('id', 'email', 'name'),
  ...plain('credentialsEpoch', 'sessionsEpoch'),
}
export const personColumns = selected(columnsOfPerson)

/** Is the user's address the verified one? */
export const isEmailVerified = 'coalesce(lower(verified_email) = lower(email), false)'

/** The columns of `AccountStanding`. Read them after the lock of the user, in a statement of their own. @param id a column */
export const standingColumns = (id: string) =>
  `exists (select from operators where user_id = ${id}) as "isOperator",
   exists (select from app_owners where user_id = ${id}) as "ownsApps"`

export const readStanding = (database: Database, userId: string) =>
  database.one<AccountStanding>(`select ${standingColumns('$1')}`, [userId])

/** @returns the names of users by id; deleted users are missing */
export const namesOfUsers = (database: Database) => async (ids: readonly string[]) => {
  if (ids.length === 0) return new Map<string, string>()
  const rows = await database.rows<{ id: string; name: string }>(
    'select id, name from users where id = any($1::text[])',
    [ids],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const profileColumns = selected<UserProfile>({
  ...plain('name', 'email'),
  emailVerified: computed(isEmailVerified),
  updatedAt: computed('floor(extract(epoch from profile_updated_at))::float8'),
})

const ofActive = 'from users where id = $1 and disabled_at is null'
const activeUser = `select ${personColumns} ${ofActive}`
const describedUser = `select ${profileColumns} ${ofActive}`

export const createPeopleStore = (database: Database): PeopleStore & UserinfoStore => {
  const readActive = batchedRead<Person>(database, activeUser, ['text'], 'active_user')
  return {
    findForSignIn: (email) =>
      database.row(
        `select ${personColumns}, password_hash as "passwordHash", disabled_at is not null as disabled
         from users where lower(email) = $1`,
        [email],
        'user_for_sign_in',
      ),
    renewPassword: (...values) =>
      database.run(
        'update users set password_hash = $3 where id = $1 and password_hash = $2',
        values,
      ),
    findActive: (userId) => readActive([userId]),
    describe: (userId) => database.row(describedUser, [userId], 'described_user'),
  }
}

/** Accounts in one answer. */
const most = 100

/** Finds accounts whose addresses were stored before domains had one form. */
export const createOldSpellings = (database: Database) => ({
  /** @param normalise makes the form of today @returns `equalTo`: another account that has it; null: there is none */
  list: async (normalise: (email: string) => string) => {
    const old = await database.rows<{ id: string; email: string }>(
      'select id, email from users where octet_length(email) <> length(email) order by id limit $1',
      [most],
    )
    const normalised = old.map(({ email }) => normalise(email))
    const known = await database.rows<{ id: string; email: string }>(
      'select id, lower(email) as email from users where lower(email) = any($1)',
      [normalised],
    )
    const owners = new Map(known.map(({ id, email }) => [email, id]))
    return old.map(({ id }, at) => {
      const owner = owners.get(normalised[at] as string) ?? null
      return { userId: id, equalTo: owner === id ? null : owner }
    })
  },
})
