import type { AccountStanding } from '../../../core/people/account-guard.ts'
import type { Database } from '../connection/database.ts'

/** The columns of `Standing`. Read them after the lock of the user, in a statement of their own. @param id a column */
export const standingColumns = (id: string) =>
  `exists (select from operators where user_id = ${id}) as "isOperator",
   exists (select from app_owners where user_id = ${id}) as "ownsApps"`

export const readStanding = async (database: Database, userId: string): Promise<AccountStanding> =>
  (await database.row<AccountStanding>(`select ${standingColumns('$1')}`, [userId]))!
