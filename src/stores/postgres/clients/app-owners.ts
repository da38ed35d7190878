import type {
  AppOwnerStore,
  InstallCounts,
  OwnedAppEntry,
} from '../../../core/clients/app-owners.ts'
import type { RegisteredApp } from '../../../core/clients/apps.ts'
import type { Secret } from '../../../core/credentials/secrets.ts'
import type { Fault } from '../../../core/language/faults.ts'
import { refuse } from '../../../core/language/service-errors.ts'
import { type Columns, computed, plain, selected, since } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { listRows } from '../connection/lists.ts'
import { isActive, secretColumns } from '../credentials/secrets.ts'
import { namesOfUsers } from '../people/people.ts'
import { registeredColumns } from './app-columns.ts'

/** SQL: the first owner of an app, or null. */
export const firstOwner = (clientId: string) =>
  `(select user_id from app_owners where client_id = ${clientId} order by position limit 1)`

/** SQL: the first owner of an app, or its client id; what takes a turn in work for apps. */
export const ownerOfApp = (clientId: string) => `coalesce(${firstOwner(clientId)}, ${clientId})`

const faultOf = (isDisabled: boolean | undefined, isNew: boolean) => {
  if (isDisabled === undefined) return { detail: 'is not a user', reason: 'unknown_user' } as const
  return isDisabled && isNew
    ? ({ detail: 'is a disabled user', reason: 'user_disabled' } as const)
    : null
}

/**
 * Replaces the owners of a locked app. An owner who was disabled later can stay.
 * @throws Invalid for an owner who is no user, and for a new one who is disabled
 */
export const writeOwners = async (
  tx: Queryable,
  clientId: string,
  before: readonly string[],
  after: readonly string[],
): Promise<void> => {
  if (after.join(' ') === before.join(' ')) return
  // The users are locked first: a delete of a user locks the user, then the rows of app_owners.
  const rows = await tx.rows<{ id: string; disabled: boolean }>(
    `select id, disabled_at is not null as disabled from users
      where id = any($1::text[]) and id not in (select user_id from test_people where user_id = any($1::text[]))
      order by id for key share`,
    [after],
  )
  const users = new Map(rows.map(({ id, disabled }) => [id, disabled]))
  refuse(
    after.flatMap((id, index): Fault[] => {
      const fault = faultOf(users.get(id), !before.includes(id))
      return fault ? [{ pointer: `/owners/${index}`, ...fault }] : []
    }),
  )
  await tx.query('delete from app_owners where client_id = $1', [clientId])
  await tx.query(
    `insert into app_owners (client_id, user_id, position)
     select $1, id, position from unnest($2::text[]) with ordinality as given (id, position)`,
    [clientId, after],
  )
}

/** Is this user, who is not disabled, an owner of the app? The app's row must be locked: owners change under its lock. */
export const isOwner = (tx: Queryable, clientId: string, userId: string): Promise<boolean> =>
  tx.affects(
    `select from app_owners o join users u on u.id = o.user_id
      where o.client_id = $1 and o.user_id = $2 and u.disabled_at is null`,
    [clientId, userId],
  )

/** @param most the parameter with the most that are counted */
const liveInstalls = (most: string) => `(
  select suspended_at from installs i where i.client_id = apps.client_id and i.ended_at is null
   limit ${most}::integer + 1) live`

const entryColumns: Columns<OwnedAppEntry> = {
  ...plain('clientId', 'name', 'interface', 'clientType'),
  disabled: since('disabled_at'),
  installs: computed(`(select count(*)::integer from ${liveInstalls('?')})`),
}

export const createAppOwnerStore = (database: Database): AppOwnerStore => ({
  ownsApps: (userId) =>
    database.affects('select from app_owners where user_id = $1 limit 1', [userId]),

  list: (userId, page, most) =>
    listRows<OwnedAppEntry>(
      database,
      page,
      {
        columns: selected(entryColumns),
        table: 'apps',
        key: 'client_id',
        where: 'client_id = any(array(select client_id from app_owners where user_id = ?))',
      },
      [most, userId],
    ),

  find: async (userId, clientId, most) => {
    const app = await database.row<RegisteredApp>(
      `select ${selected(registeredColumns)} from apps where client_id = $1
         and exists (select from app_owners where client_id = $1 and user_id = $2)`,
      [clientId, userId],
    )
    if (!app) return null
    const installs = await database.one<InstallCounts>(
      `select count(*)::integer as live, count(suspended_at)::integer as suspended
         from apps cross join lateral ${liveInstalls('$2')} where client_id = $1`,
      [clientId, most],
    )
    const secrets = await database.rows<Secret>(
      `select ${secretColumns} from app_secrets where client_id = $1 and ${isActive}
        order by created_at, id`,
      [clientId],
    )
    return { app, installs, secrets }
  },

  userNames: namesOfUsers(database),
})
