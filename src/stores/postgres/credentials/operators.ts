import type {
  OperatorGrant,
  OperatorGrantStore,
} from '../../../core/credentials/operator-grants.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { computed, of, plainOf, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { hasSignedIn } from '../connection/has-signed-in.ts'
import { listRows } from '../connection/lists.ts'
import { foundIn } from '../connection/search-sources.ts'

const columns = selected<OperatorGrant>({
  userId: of('u', 'id'),
  ...plainOf('u', 'email', 'name'),
  disabled: computed('u.disabled_at is not null'),
  hasSignedIn: computed(hasSignedIn('u')),
  permissions: computed(`coalesce(o.permissions, '{}')`),
  createdAt: of('o'),
})

const read = (on: Queryable, userId: string, lock = ''): Promise<OperatorGrant | null> =>
  on.row<OperatorGrant>(
    `select ${columns} from users u left join operators o on o.user_id = u.id
      where u.id = $1 and not exists (select from test_people p where p.user_id = u.id) ${lock}`,
    [userId],
  )

export const createOperatorGrantStore = (database: Database): OperatorGrantStore => ({
  permissionsOf: (userId) =>
    database.value(
      `select o.permissions from operators o join users u on u.id = o.user_id
        where o.user_id = $1 and u.disabled_at is null`,
      [userId],
    ),

  byUser: (userId) => read(database, userId),

  among: (...values) =>
    database.values('select user_id from operators where user_id = any($1::text[])', values),

  list: (page) =>
    listRows<OperatorGrant>(database, page, {
      ...{ columns, table: 'operators o join users u on u.id = o.user_id' },
      ...{ key: 'o.user_id', created: 'o.created_at', orders: { email: 'lower(u.email)' } },
      search: foundIn('user', 'o.user_id'),
    }),

  put: database.inTransaction(async (tx, userId, permissions, admit) => {
    const before = await read(tx, userId, 'for no key update of u')
    if (!before) return null
    const events = admit(before)
    if (permissions.length === 0)
      await tx.query('delete from operators where user_id = $1', [userId])
    else
      await tx.query(
        `insert into operators (user_id, permissions) values ($1, $2::text[])
           on conflict (user_id) do update set permissions = excluded.permissions`,
        [userId, permissions],
      )
    await insertAuditEvents(tx, events)
    return read(tx, userId)
  }),
})
