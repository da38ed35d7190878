import type { LoggedEvent } from '../../../core/audit/audit-log.ts'
import type { RefusedPageStore } from '../../../core/audit/refused-pages.ts'
import { computed, named, plain, selected } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'

const columns = selected<LoggedEvent>({
  id: named('request_id'),
  type: computed(`'page.refused'`),
  actor: computed(
    `json_build_object('kind', case when user_id is null then 'anonymous' else 'user' end, 'id', user_id)`,
  ),
  ...plain('at', 'organizationId', 'clientId', 'userId', 'address', 'requestId', 'detail'),
})

export const createRefusedPageStore = (database: Database): RefusedPageStore => ({
  append: (pages) =>
    database.run(
      `insert into refused_pages (request_id, organization_id, client_id, user_id, address, detail)
       select "requestId", "organizationId", "clientId", "userId", address, detail
         from jsonb_to_recordset($1::jsonb) as page ("requestId" text, "organizationId" text,
           "clientId" text, "userId" text, address text, detail jsonb)
       on conflict (request_id) do nothing`,
      [JSON.stringify(pages)],
    ),

  find: (requestId, { organizationId, clientId }) =>
    database.row<LoggedEvent>(
      `select ${columns} from refused_pages where request_id = $1
         and ($2::text is null or organization_id = $2) and ($3::text is null or client_id = $3)`,
      [requestId, organizationId, clientId],
    ),
})
