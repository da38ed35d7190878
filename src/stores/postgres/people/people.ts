import type { UserinfoStore, UserProfile } from '../../../core/introspection/userinfo.ts'
import type { Person } from '../../../core/people/person.ts'
import type { PeopleStore } from '../../../core/people/sessions.ts'
import { batchedRead } from '../connection/batched-reads.ts'
import type { Database } from '../connection/database.ts'

/** The columns of a user as a person. */
export const personColumns = `id, email, name, credentials_epoch as "credentialsEpoch",
  sessions_epoch as "sessionsEpoch"`

/** Is the user's address the verified one? */
export const emailVerified =
  'coalesce(lower(verified_email) = lower(email), false) as email_verified'

export const createPeopleStore = (database: Database): PeopleStore & UserinfoStore => {
  const readActive = batchedRead<Person>(database, {
    name: 'active_user',
    query: `select ${personColumns} from users where id = $1 and disabled_at is null`,
    types: ['text'],
  })
  return {
    findForSignIn: async (email) => {
      const { rows } = await database.query<
        Person & { passwordHash: string | null; disabled: boolean }
      >(
        `select ${personColumns}, password_hash as "passwordHash", disabled_at is not null as disabled
         from users where lower(email) = $1`,
        [email],
        'user_for_sign_in',
      )
      return rows[0] ?? null
    },
    findActive: (userId) => readActive([userId]),
    describe: async (userId) => {
      const { rows } = await database.query<
        Omit<UserProfile, 'emailVerified' | 'updatedAt'> & {
          email_verified: boolean
          updated_at: number | null
        }
      >(
        `select name, email, ${emailVerified}, floor(extract(epoch from profile_updated_at))::float8 as updated_at
           from users where id = $1 and disabled_at is null`,
        [userId],
        'described_user',
      )
      const row = rows[0]
      if (!row) return null
      const { name, email, email_verified, updated_at } = row
      return { name, email, emailVerified: email_verified, updatedAt: updated_at }
    },
  }
}
