import type {
  ClientHost,
  ClientHostStore,
  HostRule,
} from '../../../core/client-documents/client-hosts.ts'
import { Conflict } from '../../../core/language/service-errors.ts'
import { changeRow, removeRow, writeRow } from '../audit/audit.ts'
import { changeApp, insertApp } from '../clients/apps.ts'
import { permissionsOfCatalogue } from '../clients/permission-catalogue.ts'
import {
  type Columns,
  column,
  insertInto,
  json,
  named,
  plain,
  selected,
  updateRow,
} from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { findRow, listRows } from '../connection/lists.ts'
import { putOnly } from '../connection/put-row.ts'

const ruleColumns: Columns<HostRule> = {
  ...plain('policy', 'pathPrefix', 'ceiling'),
  limit: named('app_limit'),
  defaults: json,
}
const columns = selected<ClientHost>({ ...plain('host', 'createdAt', 'updatedAt'), ...ruleColumns })
const hosts = {
  ...{ table: 'client_hosts', key: 'host', columns },
  orders: { host: 'host' },
  filters: { policy: 'policy = ?' },
  search: 'position(lower(?) in host) > 0',
}

const insertHost = insertInto(
  'client_hosts',
  { host: column, ...ruleColumns },
  `on conflict do nothing returning ${columns}`,
)
const changeRule = updateRow(hosts, ruleColumns, 'updated_at = now()')

/** The rule of a host as JSON. @param host the parameter */
export const ruleJson = (host: string) =>
  `(select to_json(rule) from (select ${selected(ruleColumns)} from client_hosts where host = ${host}) rule)`

/** Days after which new installs of an app end by the rule of its host. @param clientId an expression */
export const daysOfHost = (clientId: string) =>
  `(select (defaults ->> 'expiresDays')::integer from client_hosts where host = split_part(${clientId}, '/', 3))`

const ofHost = (host: string) => `client_documents where split_part(client_id, '/', 3) = ${host}`

/** How many apps from documents the host has. @param host the parameter */
export const appsOfHost = (host: string) => `(select count(*)::integer from ${ofHost(host)})`

/** Admitted apps of the host that have more than the ceiling, in the order in which they are locked. */
const appsBeyond = (tx: Queryable, host: string, ceiling: readonly string[]) =>
  tx.values<string>(
    `select client_id from apps
      where admitted and split_part(client_id, '/', 3) = $1 and not permissions <@ $2
      order by client_id`,
    [host, ceiling],
  )

/** What is new in the ceiling counts as asked for anew, once the documents are read. */
const readAgain = (tx: Queryable, host: string, added: readonly string[]) =>
  tx.run(
    `update client_documents document set etag = null, due_at = now(),
       scopes = array(select one from unnest(scopes) one where not one = any($2))
      from apps where apps.client_id = document.client_id and admitted
       and split_part(apps.client_id, '/', 3) = $1`,
    [host, added],
  )

export const createClientHostStore = (database: Database): ClientHostStore => ({
  put: database.inTransaction(async (tx, host, rule, decide, narrow) => {
    let before: ClientHost | null = null
    const put = await putOnly<ClientHost>({
      find: () => findRow(tx, hosts, host, 'for no key update'),
      insert: () => changeRow(tx, ...insertHost({ host, ...rule }), decide(null)),
      change: (current) => {
        before = current
        return writeRow(tx, current, changeRule(host, rule), decide(current))
      },
    })
    const { item } = put
    if (item === before || item.ceiling === null) return put
    await permissionsOfCatalogue(tx, 'current', item.ceiling)
    if (item.policy !== 'admit') return put
    for (const clientId of await appsBeyond(tx, host, item.ceiling))
      await changeApp(tx, clientId, (app) => narrow(app, before))
    const added = item.ceiling.filter((one) => before?.ceiling && !before.ceiling.includes(one))
    if (added.length > 0) await readAgain(tx, host, added)
    return put
  }),

  byHost: (host) => findRow(database, hosts, host),

  list: (page) => listRows<ClientHost>(database, page, hosts),

  remove: (host, admit) => removeRow(database, hosts, host, admit),

  insertApp:
    (host, admits) =>
    (...app) =>
      database.transaction(async (tx) => {
        const rule = await findRow<ClientHost>(tx, hosts, host, 'for no key update')
        // A statement of its own: one that waited for the lock would count the apps of before.
        if (!admits(rule, await tx.count(ofHost('$1'), [host])))
          throw new Conflict('host_refused', 'the host does not admit the document')
        return insertApp(tx, ...app)
      }),
})
