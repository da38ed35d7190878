import type { Database } from '../connection/database.ts'

/** An account whose address is not stored in the form of today. */
export interface OldSpelling {
  userId: string
  /** Another account that has the normalised address; null: there is none. */
  equalTo: string | null
}

/** Accounts in one answer. */
const most = 100

/** Finds accounts whose addresses were stored before domains had one form. */
export const createOldSpellings = (database: Database) => ({
  /** @param normalise makes the form of today */
  list: async (normalise: (email: string) => string): Promise<OldSpelling[]> => {
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
