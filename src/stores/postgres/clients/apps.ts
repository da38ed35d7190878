import type {
  AcceptedDocumentState,
  Admission,
  AppStore,
  ChangeCondition,
  RegisteredApp,
} from '../../../core/clients/apps.ts'
import { idTaken } from '../../../core/language/service-errors.ts'
import { insertAuditEvents, removeRow } from '../audit/audit.ts'
import { batchedRead } from '../connection/batched-reads.ts'
import { column, insertInto, plain, selected, updateRow } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { findRow, isIdIn, listRows } from '../connection/lists.ts'
import { appSecretTable, insertSecret } from '../credentials/secrets.ts'
import { approveChange } from './app-changes.ts'
import { apps, settingColumns } from './app-columns.ts'
import { isOwner, writeOwners } from './app-owners.ts'
import { permissionsOfCatalogue } from './permission-catalogue.ts'

const newApp = insertInto(
  'apps',
  { clientId: column, ...settingColumns, admitted: column },
  `on conflict do nothing returning ${apps.columns}`,
)
const { interface: _, ...changeable } = settingColumns
const changedApp = updateRow(apps, { ...changeable, familiesEpoch: column }, 'updated_at = now()')

/** Has a user or another kind of client this id? The subject of a token would be ambiguous (RFC 9068 §5). */
export const isTaken = (tx: Queryable, clientId: string, other: 'apps' | 'resource_servers') =>
  isIdIn(tx, clientId, 'users', 'key_sets', other)

/** In the transaction of the app: without this row its document would never be read again. */
const writeAcceptedDocument = (
  tx: Queryable,
  clientId: string,
  { scopes, hasScope, etag, freshSeconds }: AcceptedDocumentState,
) =>
  tx.run(
    `insert into client_documents (client_id, scopes, has_scope, etag, due_at)
     values ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => $5::float8))
     on conflict (client_id) do update set scopes = excluded.scopes,
       has_scope = excluded.has_scope, etag = excluded.etag, due_at = excluded.due_at,
       read_at = now(), failing_since = null`,
    [clientId, scopes, hasScope, etag, freshSeconds],
  )

export const insertApp = async (
  tx: Queryable,
  ...[app, secret, events, document = null]: Parameters<AppStore['insert']>
): Promise<RegisteredApp> => {
  await permissionsOfCatalogue(tx, app.interface, app.permissions)
  const row = await tx.row<RegisteredApp>(...newApp(app))
  if (!row || (await isTaken(tx, app.clientId, 'resource_servers')))
    throw idTaken('a client or a user')
  await writeOwners(tx, app.clientId, [], app.owners)
  if (secret) await insertSecret(tx, appSecretTable, app.clientId, secret)
  if (document) await writeAcceptedDocument(tx, app.clientId, document)
  await insertAuditEvents(tx, events)
  return { ...row, owners: app.owners }
}

/** The rule of a host that admits documents, which stays until the end of the transaction. */
const admissionOf = (tx: Queryable, host: string) =>
  tx.row<Admission>(
    `select path_prefix as "pathPrefix", ceiling, defaults -> 'optionalPermissions' as "optionalPermissions"
       from client_hosts where host = $1 and policy = 'admit' for share`,
    [host],
  )

export const changeApp = async (
  tx: Queryable,
  clientId: string,
  decide: Parameters<AppStore['change']>[1],
  { admittedBy, ownerId, approves, document }: ChangeCondition = {},
): Promise<RegisteredApp | null> => {
  // The rule first: a change of it locks the apps after it.
  const admission = admittedBy === undefined ? null : await admissionOf(tx, admittedBy)
  const current = await findRow<RegisteredApp>(tx, apps, clientId, 'for no key update')
  if (!current) return null
  // Statements of their own: one that waited for the lock would check the rows of before.
  if (ownerId !== undefined && !(await isOwner(tx, clientId, ownerId))) return null
  if (approves) await approveChange(tx, approves)
  const { values, events } = decide(current, admission)
  if (document) await writeAcceptedDocument(tx, clientId, document)
  if (events.length === 0) return current
  const { app, dropSecrets } = values
  await permissionsOfCatalogue(tx, app.interface, app.permissions)
  await writeOwners(tx, clientId, current.owners, app.owners)
  const row = await tx.one<RegisteredApp>(...changedApp(clientId, app))
  if (dropSecrets) await tx.query('delete from app_secrets where client_id = $1', [clientId])
  await insertAuditEvents(tx, events)
  return row
}

export const createAppStore = (database: Database): AppStore => ({
  insert: (...app) => database.transaction((tx) => insertApp(tx, ...app)),

  byId: (clientId) => findRow(database, apps, clientId),

  withLongPermissions: (characters) =>
    database.rows(
      `select ${selected(plain('clientId', 'permissions'))} from apps
        where length(array_to_string(permissions, ' ')) > $1 order by client_id`,
      [characters],
    ),

  list: (page) => listRows<RegisteredApp>(database, page, apps),

  change: (...change) => database.transaction((tx) => changeApp(tx, ...change)),

  remove: (clientId, admit) => removeRow(database, apps, clientId, admit),
})

/** Is this the web origin of a redirect URI of a public app on the current interface? */
export const isPublicOrigin = (database: Database) => {
  const read = batchedRead<{ found: boolean }>(
    database,
    `
      select true as found from apps
       where interface = 'current' and client_type = 'public' and disabled_at is null
         and web_origins(redirect_uris) @> array[$1]
       limit 1`,
    ['text'],
    'public_origin',
  )
  return async (origin: string): Promise<boolean> => (await read([origin])) !== null
}
