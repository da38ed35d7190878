import type {
  ScimProvider,
  ScimToken,
  ScimTokenStore,
} from '../../../core/provisioning/scim-tokens.ts'
import { changeRow } from '../audit/audit.ts'
import { column, insertInto, plain, selected } from '../connection/columns.ts'
import { type Database, onForeignKeyViolation } from '../connection/database.ts'
import { listOfOrganization } from '../connection/lists.ts'
import { tokenByDigest } from '../credentials/token-digests.ts'

const given = plain('id', 'organizationId', 'name', 'groupKind', 'isLimited', 'hint')
const columns = selected<ScimToken>({ ...given, createdAt: column, lastUsedAt: column })
const insertToken = insertInto<Parameters<ScimTokenStore['insert']>[0]>(
  'scim_tokens',
  { ...given, ...plain('digest', 'digestKeyId') },
  `returning ${columns}`,
)

export const createScimTokenStore = (database: Database): ScimTokenStore => ({
  insert: (token, events) =>
    changeRow<ScimToken>(database, ...insertToken(token), events).catch(
      onForeignKeyViolation(null),
    ),

  useByDigest: tokenByDigest<ScimProvider>(database, 'scim_token_digest', {
    table: 'scim_tokens',
    columns: plain('id', 'organizationId', 'groupKind', 'isLimited'),
  }),

  list: (organizationId, page) =>
    listOfOrganization<ScimToken>(database, organizationId, page, {
      columns,
      table: 'scim_tokens',
      orders: { name: 'lower(name)' },
      search: 'position(lower(?) in lower(name)) > 0',
    }),

  remove: async ({ organizationId, id }, admit) => {
    const text = `delete from scim_tokens where id = $1 and organization_id = $2 returning ${columns}`
    return (await changeRow(database, text, [id, organizationId], admit)) !== null
  },
})
