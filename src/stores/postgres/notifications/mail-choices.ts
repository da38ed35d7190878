import type { MailChoiceStore } from '../../../core/notifications/mail-choices.ts'
import type { PasswordRequestStore } from '../../../core/notifications/password-requests.ts'
import type { Database } from '../connection/database.ts'

export const createMailChoiceStore = (database: Database): MailChoiceStore => ({
  declined: async (userId) => {
    const { rows } = await database.query<{ category: string }>(
      'select category from mail_choices where user_id = $1',
      [userId],
    )
    return rows.map(({ category }) => category)
  },

  decline: (userId, categories) =>
    database.transaction(async (tx) => {
      // Of two forms at once, the later one stands as a whole.
      await tx.query('select from users where id = $1 for no key update', [userId])
      await tx.query('delete from mail_choices where user_id = $1', [userId])
      await tx.query(
        `insert into mail_choices (user_id, category)
         select id, unnest($2::text[]) from users where id = $1 on conflict do nothing`,
        [userId, categories],
      )
    }),

  declineAlso: async (userId, categories) => {
    await database.query(
      `insert into mail_choices (user_id, category) select id, unnest($2::text[])
         from users where id = $1 on conflict do nothing`,
      [userId, categories],
    )
  },
})

export const createPasswordRequestStore = (database: Database): PasswordRequestStore => ({
  request: async (email) => {
    await database.query(
      `insert into mail_events (id, type, detail)
       values (gen_random_uuid()::text, $1, jsonb_build_object('email', $2::text))`,
      ['password.requested', email],
    )
  },
})
