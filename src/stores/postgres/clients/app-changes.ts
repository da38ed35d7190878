import type { AppChangeStore, StoredAppChange } from '../../../core/clients/app-changes.ts'
import type { ChangeCondition, RegisteredApp } from '../../../core/clients/apps.ts'
import { Conflict } from '../../../core/language/service-errors.ts'
import { changeRow, changeRows } from '../audit/audit.ts'
import { insertInto, json, plain, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { findRow, listRows } from '../connection/lists.ts'
import { foundIn } from '../connection/search-sources.ts'
import { apps } from './app-columns.ts'
import { isOwner } from './app-owners.ts'

const requested = {
  ...plain('id', 'clientId'),
  before: json,
  after: json,
  ...plain('reason', 'requestedBy'),
}
const columns = selected<StoredAppChange>({
  ...requested,
  ...plain('createdAt', 'decidedAt', 'decision', 'note'),
})
const changes = { table: 'app_changes', columns }
const insertChange = insertInto<Parameters<AppChangeStore['request']>[0]>(
  'app_changes',
  requested,
  `on conflict (client_id) where decided_at is null do nothing returning ${columns}`,
)

/** Approves a waiting request, in the transaction of the change. @throws Conflict review_decided */
export const approveChange = async (
  tx: Queryable,
  { id, note }: NonNullable<ChangeCondition['approves']>,
): Promise<void> => {
  const isApproved = await tx.affects(
    `update app_changes set decided_at = now(), decision = 'approve', note = $2
     where id = $1 and decided_at is null`,
    [id, note],
  )
  if (!isApproved)
    throw new Conflict('review_decided', 'the request was decided or withdrawn before')
}

/** Locks the app of an owner. @returns null when it does not exist or has no such owner */
const lockOwned = async (tx: Queryable, clientId: string, ownerId: string) => {
  const row = await findRow<RegisteredApp>(tx, apps, clientId, 'for no key update')
  // A statement of its own: one that waited for the lock would check the owners of before.
  return row && (await isOwner(tx, clientId, ownerId)) ? row : null
}

export const createAppChangeStore = (database: Database): AppChangeStore => ({
  list: (page) =>
    listRows<StoredAppChange>(database, page, {
      ...{ ...changes, where: 'decided_at is null' },
      orders: {
        name: '(select lower(a.name) from apps a where a.client_id = app_changes.client_id)',
      },
      search: foundIn('app', 'client_id'),
    }),

  latest: (clientId, most) =>
    database.rows(
      `select ${columns} from app_changes where client_id = $1
       order by created_at desc, id desc limit $2`,
      [clientId, most],
    ),

  byId: (id) => findRow(database, changes, id),

  request: database.inTransaction(async (tx, change, admit) => {
    const app = await lockOwned(tx, change.clientId, change.requestedBy)
    if (!app) return null
    const events = admit(app)
    return (await changeRow<StoredAppChange>(tx, ...insertChange(change), events)) ?? 'waiting'
  }),

  withdraw: database.inTransaction(async (tx, { clientId, id, ownerId, events }) => {
    if (!(await lockOwned(tx, clientId, ownerId))) return false
    return changeRows(
      tx,
      'delete from app_changes where id = $1 and client_id = $2 and decided_at is null',
      [id, clientId],
      events,
    )
  }),

  refuse: (id, note, events) =>
    changeRows(
      database,
      `update app_changes set decided_at = now(), decision = 'refuse', note = $2
        where id = $1 and decided_at is null`,
      [id, note],
      events,
    ),
})
