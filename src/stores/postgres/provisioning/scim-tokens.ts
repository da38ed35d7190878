import type {
  ScimProvider,
  ScimToken,
  ScimTokenStore,
} from '../../../core/provisioning/scim-tokens.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { batchedRead, bytesOf, type HexBytes } from '../connection/batched-reads.ts'
import { column, computed, insertInto, selected } from '../connection/columns.ts'
import { type Database, isForeignKeyViolation } from '../connection/database.ts'
import { organizationExists } from '../connection/organization-exists.ts'
import { afterPlace, orderAndLimit, pageValues, placeColumn } from '../connection/paging.ts'

const given = {
  id: column,
  organizationId: column,
  name: column,
  groupKind: column,
  isLimited: column,
  hint: column,
}
const columns = selected<ScimToken>({ ...given, createdAt: column, lastUsedAt: column })
const insertToken = insertInto<Parameters<ScimTokenStore['insert']>[0]>('scim_tokens', {
  ...given,
  digest: column,
  digestKeyId: column,
})

interface PresentedToken extends ScimProvider {
  digest: HexBytes
  stale: boolean
}

const presentedColumns = selected<PresentedToken>({
  id: column,
  digest: column,
  organizationId: column,
  groupKind: column,
  isLimited: column,
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
        .transaction(async (tx) => {
          const row = await tx.row<ScimToken>(
            `${insertToken.text} returning ${columns}`,
            insertToken.values(token),
          )
          await insertAuditEvents(tx, events)
          return row!
        })
        .catch((error: unknown) => {
          if (isForeignKeyViolation(error)) return null
          throw error
        }),

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

    list: async (organizationId, page) => {
      if (!(await organizationExists(database, organizationId))) return null
      return database.page<ScimToken>(
        page,
        `select ${columns}, ${placeColumn('id')} from scim_tokens
         where ${afterPlace('id')} and organization_id = $4 ${orderAndLimit('id')}`,
        [...pageValues(page), organizationId],
      )
    },

    remove: (organizationId, id, admit) =>
      database.transaction(async (tx) => {
        const row = await tx.row<ScimToken>(
          `delete from scim_tokens where id = $1 and organization_id = $2 returning ${columns}`,
          [id, organizationId],
        )
        if (!row) return false
        await insertAuditEvents(tx, admit(row))
        return true
      }),
  }
}
