import type {
  ScimProvider,
  ScimToken,
  ScimTokenStore,
} from '../../../core/provisioning/scim-tokens.ts'
import { changeRow, removeRow } from '../audit/audit.ts'
import { batchedRead, bytesOf, type HexBytes } from '../connection/batched-reads.ts'
import { column, computed, insertInto, plain, selected } from '../connection/columns.ts'
import { type Database, onForeignKeyViolation } from '../connection/database.ts'
import { listOfOrganization } from '../connection/lists.ts'

const given = plain('id', 'organizationId', 'name', 'groupKind', 'isLimited', 'hint')
const columns = selected<ScimToken>({ ...given, createdAt: column, lastUsedAt: column })
const insertToken = insertInto<Parameters<ScimTokenStore['insert']>[0]>('scim_tokens', {
  ...given,
  ...plain('digest', 'digestKeyId'),
})

interface PresentedToken extends ScimProvider {
  digest: HexBytes
  stale: boolean
}

const presentedColumns = selected<PresentedToken>({
  ...plain('id', 'digest', 'organizationId', 'groupKind', 'isLimited'),
  stale: computed(`last_used_at is null or last_used_at < now() - interval '1 minute'`),
})

export const createScimTokenStore = (database: Database): ScimTokenStore => {
  // Batched, because any caller may send text in the form of a token.
  const readToken = batchedRead<PresentedToken>(database, {
    name: 'scim_token_digest',
    query: `select ${presentedColumns} from scim_tokens where digest = $1`,
    types: ['bytea'],
  })
  return {
    insert: (token, events) =>
      database
        .transaction(
          async (tx) =>
            (await changeRow<ScimToken>(
              tx,
              `${insertToken.text} returning ${columns}`,
              insertToken.values(token),
              events,
            ))!,
        )
        .catch(onForeignKeyViolation(null)),

    useByDigest: async (digests) => {
      const found = await Promise.all(digests.map((digest) => readToken([digest])))
      const token = found.find((one) => one !== null)
      if (token?.stale)
        await database.query(
          `update scim_tokens set last_used_at = now()
            where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
          [token.id],
        )
      if (!token) return null
      const { stale: _, digest, ...provider } = token
      return { ...provider, digest: bytesOf(digest) }
    },

    list: (organizationId, page) =>
      listOfOrganization<ScimToken>(database, organizationId, page, {
        columns,
        table: 'scim_tokens',
      }),

    remove: (organizationId, id, admit) =>
      removeRow<ScimToken>(
        database,
        `delete from scim_tokens where id = $1 and organization_id = $2 returning ${columns}`,
        [id, organizationId],
        admit,
      ),
  }
}
