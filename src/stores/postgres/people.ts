import type { PeopleStore, Person } from '../../services/sessions.ts'
import type { Database } from './database.ts'

/** A row of users as a person. */
export const personColumns = `id, email, name, credentials_epoch as "credentialsEpoch",
  sessions_epoch as "sessionsEpoch"`

export const createPeopleStore = (database: Database): PeopleStore => ({
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
  findActive: async (userId) => {
    const { rows } = await database.query<Person>(
      `select ${personColumns} from users where id = $1 and disabled_at is null`,
      [userId],
      'active_user',
    )
    return rows[0] ?? null
  },
})
