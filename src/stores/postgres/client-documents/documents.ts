import type { DocumentState, DocumentStore } from '../../../core/client-documents/document-store.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { firstOwner } from '../clients/app-owners.ts'
import { plain, selected } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'

const columnsOf = (document: string) =>
  selected<DocumentState>(plain('clientId', 'scopes', 'hasScope', 'etag', 'failingSince'), document)
const findState = `select ${columnsOf('client_documents')} from client_documents where client_id = $1`

const dueAfter = (parameter: string) =>
  `due_at = clock_timestamp() + make_interval(secs => ${parameter}::float8)`

const putOff = `update client_documents set ${dueAfter('$2')} where client_id = $1`

export const createDocumentStore = (database: Database): DocumentStore => ({
  find: (clientId) => database.row(findState, [clientId]),

  // Rows that another instance claims are skipped. The update checks the time again, because it sees a newer version of
  // the row than the selection may have seen.
  claim: (most, lease) =>
    database.rows(
      `with ranked as (
         select client_id, row_number() over (
             partition by coalesce(${firstOwner('client_documents.client_id')}, split_part(client_id, '/', 3))
               order by due_at) as place
         from client_documents where due_at <= now()),
       due as (
         select client_id from client_documents join ranked using (client_id)
         where due_at <= now() order by place, due_at limit $1::integer
         for update of client_documents skip locked)
       update client_documents document set ${dueAfter('$2')} from due
       where document.client_id = due.client_id and document.due_at <= now()
       returning ${columnsOf('document')}`,
      [most, lease],
    ),

  followed: (clientId, { scopes, hasScope, etag }, freshSeconds) =>
    database.run(
      `update client_documents set scopes = $2, has_scope = $3, etag = $4, ${dueAfter('$5')},
         read_at = now(), failing_since = null
       where client_id = $1`,
      [clientId, scopes, hasScope, etag, freshSeconds],
    ),

  failed: database.inTransaction(async (tx, clientId, after, events) => {
    const isFirst = await tx.affects(
      'update client_documents set failing_since = now() where client_id = $1 and failing_since is null',
      [clientId],
    )
    await tx.run(putOff, [clientId, after])
    if (isFirst) await insertAuditEvents(tx, events)
  }),
})
