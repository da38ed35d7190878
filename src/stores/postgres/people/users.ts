import type { Change } from '../../../core/audit/changes.ts'
import type { AccountStanding } from '../../../core/people/account-guard.ts'
import type { User, UserStore } from '../../../core/people/user.ts'
import { changeRow, changeRows, insertAuditEvents } from '../audit/audit.ts'
import { column, computed, named, plain, selected, since } from '../connection/columns.ts'
import { type Database, onUniqueViolation, type Queryable } from '../connection/database.ts'
import { hasRow, hasSignedIn } from '../connection/has-signed-in.ts'
import { isIdIn, type List, listRows } from '../connection/lists.ts'
import { putRow } from '../connection/put-row.ts'
import { isEmailVerified, personColumns, standingColumns } from './people.ts'
import { endSessions } from './sessions.ts'

const userColumns = selected<User>({
  ...plain('id', 'email', 'name'),
  emailVerified: computed(isEmailVerified),
  disabled: since('disabled_at'),
  disabledAt: column,
  locale: column,
  hasSignedIn: computed(hasSignedIn('users')),
  passwordVersion: named('credentials_epoch'),
  createdAt: column,
})

const users: List = {
  ...{ table: 'users', columns: userColumns },
  orders: { name: 'lower(name)', email: 'lower(email)' },
  filters: {
    email: 'lower(email) = ?',
    disabled: '(disabled_at is not null) = ?::boolean',
    has_signed_in: `${hasSignedIn('users')} = ?::boolean`,
    operator: `(${hasRow('operators', 'users')}) = ?::boolean`,
    organization_id: 'id = any(array(select user_id from members where organization_id = ?))',
  },
  finds: 'user',
}

const emailTaken = onUniqueViolation('email_taken')

const guardedColumns = `${userColumns}, ${standingColumns('users.id')}`

/** Locks these users and reads them in a statement of its own, which sees an operator who was made meanwhile. */
export const lockedUsers = async (
  tx: Queryable,
  ids: readonly string[],
  lock: 'no key update' | 'update' = 'no key update',
): Promise<(User & AccountStanding)[]> => {
  await tx.query(`select from users where id = any($1::text[]) order by id for ${lock}`, [ids])
  return tx.rows(`select ${guardedColumns} from users where id = any($1::text[])`, [ids])
}

const locked = async (tx: Queryable, id: string, lock?: 'update') =>
  (await lockedUsers(tx, [id], lock))[0] ?? null

type UserChange = Change<Pick<User, 'email' | 'name' | 'disabled' | 'emailVerified' | 'locale'>>

const write = async (
  tx: Queryable,
  current: User,
  passwordHash: string | null,
  { values: { email, name, disabled, emailVerified, locale }, events }: UserChange,
): Promise<User> => {
  if (events.length === 0) return current
  return (await changeRow(
    tx,
    `update users set email = $2, name = $3, password_hash = coalesce($4, password_hash),
       credentials_epoch = credentials_epoch + ($4::text is not null)::integer,
       sessions_epoch = sessions_epoch + (disabled_at is null and $5)::integer,
       disabled_at = case when $5 then coalesce(disabled_at, now()) end,
       verified_email = case when $6 then $2 end, locale = $7
     where id = $1 returning ${userColumns}`,
    [current.id, email, name, passwordHash, disabled, emailVerified, locale],
    events,
  ))!
}

/** @param key of which a row may exist already */
const insertUser = (key: string) =>
  `insert into users (id, email, name, password_hash, verified_email, locale, created_by_token, disabled_at)
   values ($1, $2, $3, $4, case when $5 then $2 end, $6, $7, case when $8 then now() end)
   on conflict ${key} do nothing returning ${userColumns}`

export const createUserStore = (database: Database): UserStore => ({
  insert: ({ id, email, name, emailVerified, locale, createdByToken }, passwordHash, events) =>
    changeRow(
      database,
      insertUser('(lower(email))'),
      [id, email, name, passwordHash, emailVerified, locale, createdByToken, false],
      events,
    ),

  byId: (id) => database.row(`select ${userColumns} from users where id = $1`, [id]),

  list: (page) => listRows<User>(database, page, users),

  change: (id, passwordHash, decide) =>
    database
      .transaction(async (tx) => {
        const current = await locked(tx, id)
        return current && write(tx, current, passwordHash, decide(current))
      })
      .catch(emailTaken),

  put: (id, passwordHash, decide) =>
    database
      .transaction(async (tx) => {
        if (await isIdIn(tx, id, 'apps', 'key_sets', 'resource_servers'))
          return 'id_of_a_client' as const
        const put = await putRow<User, User & AccountStanding>({
          find: () => locked(tx, id),
          insert: async () => {
            const { values, events } = decide(null)
            const { email, name, emailVerified, disabled, locale } = values
            // Without a named key: a row with the same address conflicts too, instead of failing.
            const given = [id, email, name, passwordHash, emailVerified, locale, null, disabled]
            return changeRow(tx, insertUser(''), given, events)
          },
          change: (current) => write(tx, current, passwordHash, decide(current)),
        })
        return put ?? ('email_taken' as const)
      })
      .catch(emailTaken),

  passwordHashOf: (id) => database.value('select password_hash from users where id = $1', [id]),

  // Disabling the user has increased an epoch too.
  changePassword: ({ id, credentialsEpoch, sessionsEpoch }, passwordHash, events) =>
    changeRow(
      database,
      `update users set password_hash = $2, credentials_epoch = credentials_epoch + 1
        where id = $1 and credentials_epoch = $3 and sessions_epoch = $4
       returning ${personColumns}`,
      [id, passwordHash, credentialsEpoch, sessionsEpoch],
      events,
    ),

  remove: database.inTransaction(async (tx, id, admit) => {
    const user = await locked(tx, id, 'update')
    if (!user) return false
    return changeRows(tx, 'delete from users where id = $1', [id], admit(user))
  }),

  removePasskeys: database.inTransaction(async (tx, id, admit, event, ended) => {
    const user = await locked(tx, id)
    if (!user) return false
    admit(user)
    const removed = await tx.values<string>(
      'delete from passkeys where user_id = $1 returning id',
      [id],
    )
    await insertAuditEvents(tx, removed.map(event))
    await endSessions(
      tx,
      `delete from sessions where user_id = $1 and passkey_ids <> '{}' returning id`,
      [id],
      ended,
    )
    return true
  }),
})
