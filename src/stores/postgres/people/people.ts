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
/** The columns of a user as a person. */
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
    renewPassword: (userId, from, to) =>
      database.run('update users set password_hash = $3 where id = $1 and password_hash = $2', [
        userId,
        from,
        to,
      ]),
    findActive: (userId) => readActive([userId]),
    describe: (userId) => database.row(describedUser, [userId], 'described_user'),
  }
}
