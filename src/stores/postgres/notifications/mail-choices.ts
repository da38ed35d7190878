import type { MailChoiceStore } from '../../../core/notifications/mail-choices.ts'
import { passwordRequest } from '../../../core/notifications/mail-rules.ts'
import type { PasswordRequestStore } from '../../../core/notifications/password-requests.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import type { Database, Queryable } from '../connection/database.ts'

const declined = (on: Queryable, userId: string): Promise<string[]> =>
  on.values<string>('select category from mail_choices where user_id = $1', [userId])

export const createMailChoiceStore = (database: Database): MailChoiceStore => ({
  declined: (userId) => declined(database, userId),

  change: database.inTransaction(async (tx, userId, decide) => {
    // Of two forms at once, the later one stands as a whole.
    if (!(await tx.affects('select id from users where id = $1 for no key update', [userId])))
      return
    const { values, events } = decide(await declined(tx, userId))
    if (events.length === 0) return
    await tx.query('delete from mail_choices where user_id = $1', [userId])
    const insert = 'insert into mail_choices (user_id, category) select $1, unnest($2::text[])'
    await tx.query(insert, [userId, values])
    await insertAuditEvents(tx, events)
  }),
})

export const createPasswordRequestStore = (database: Database): PasswordRequestStore => ({
  request: (email, { address, requestId }) =>
    database.run(
      'insert into mail_events (id, type, detail) values (gen_random_uuid()::text, $1, $2)',
      [passwordRequest, JSON.stringify({ email, cause: { address, requestId } })],
    ),
})
