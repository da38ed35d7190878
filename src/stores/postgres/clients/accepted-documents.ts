import type { AcceptedDocumentState } from '../../../core/clients/apps.ts'
import type { Queryable } from '../connection/database.ts'

/** In the transaction of the app: without this row its document would never be read again. */
export const writeAcceptedDocument = async (
  tx: Queryable,
  clientId: string,
  { scopes, etag, freshSeconds }: AcceptedDocumentState,
) => {
  await tx.query(
    `insert into client_documents (client_id, scopes, etag, due_at)
     values ($1, $2, $3, clock_timestamp() + make_interval(secs => $4::float8))
     on conflict (client_id) do update set scopes = excluded.scopes, etag = excluded.etag,
       due_at = excluded.due_at, read_at = now(), failing_since = null`,
    [clientId, scopes, etag, freshSeconds],
  )
}
