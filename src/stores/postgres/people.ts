import type { PeopleStore, Person } from '../../services/sessions.ts'
import type { Database } from './database.ts'

export const createPeopleStore = (database: Database): PeopleStore => ({
  findForSignIn: async (email) => {
    const { rows } = await database.query<
      Person & { credentials_epoch: number; password_hash: string | null; disabled: boolean }
    >(
      `select id, email, name, credentials_epoch, password_hash, disabled_at is not null as disabled
         from users where lower(email) = $1`,
      [email],
      'user_for_sign_in',
    )
    const row = rows[0]
    return row
      ? {
          id: row.id,
          email: row.email,
          name: row.name,
          credentialsEpoch: row.credentials_epoch,
          passwordHash: row.password_hash,
          disabled: row.disabled,
        }
      : null
  },
  findActive: async (userId) => {
    const { rows } = await database.query<Person>(
      `select id, email, name, credentials_epoch as "credentialsEpoch"
         from users where id = $1 and disabled_at is null`,
      [userId],
      'active_user',
    )
    return rows[0] ?? null
  },
})
