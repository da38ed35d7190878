import type {
  GroupKind,
  ScimToken,
  ScimTokenStore,
} from '../../../core/provisioning/scim-tokens.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { batchedRead, bytesOf, type HexBytes } from '../connection/batched-reads.ts'
import { type Database, isForeignKeyViolation } from '../connection/database.ts'
import { organizationExists } from '../connection/organization-exists.ts'
import { afterPlace, orderAndLimit, pageValues, placeColumn, toPage } from '../connection/paging.ts'

interface ScimTokenRow {
  id: string
  organization_id: string
  name: string
  group_kind: GroupKind
  hint: string
  created_at: Date
  last_used_at: Date | null
}

const columns = 'id, organization_id, name, group_kind, hint, created_at, last_used_at'

const toScimToken = (row: ScimTokenRow): ScimToken => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name,
  groupKind: row.group_kind,
  hint: row.hint,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
})

interface PresentedToken {
  id: string
  digest: HexBytes
  organization_id: string
  group_kind: GroupKind
  stale: boolean
}

export const createScimTokenStore = (database: Database): ScimTokenStore => {
  // Batched, because any caller may send text in the form of a token.
  const readToken = batchedRead<PresentedToken>(database, {
    name: 'scim_token_digest',
    query: `
      select id, digest, organization_id, group_kind,
             last_used_at is null or last_used_at < now() - interval '1 minute' as stale
        from scim_tokens where digest = $1`,
    types: ['bytea'],
  })
  return {
    insert: (token, events) =>
      database
        .transaction(async (tx) => {
          const { rows } = await tx.query<ScimTokenRow>(
            `insert into scim_tokens (id, organization_id, name, group_kind, digest, digest_key_id, hint)
             values ($1, $2, $3, $4, $5, $6, $7) returning ${columns}`,
            [
              token.id,
              token.organizationId,
              token.name,
              token.groupKind,
              token.digest,
              token.digestKeyId,
              token.hint,
            ],
          )
          await insertAuditEvents(tx, events)
          return toScimToken(rows[0]!)
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
      const { id, digest, organization_id: organizationId, group_kind: groupKind } = token
      return { id, digest: bytesOf(digest), organizationId, groupKind }
    },

    list: async (organizationId, page) => {
      if (!(await organizationExists(database, organizationId))) return null
      const { rows } = await database.query<ScimTokenRow & { place: string }>(
        `select ${columns}, ${placeColumn('id')} from scim_tokens
         where ${afterPlace('id')} and organization_id = $4 ${orderAndLimit('id')}`,
        [...pageValues(page), organizationId],
      )
      return toPage(rows, page, toScimToken)
    },

    remove: (organizationId, id, admit) =>
      database.transaction(async (tx) => {
        const { rows } = await tx.query<ScimTokenRow>(
          `delete from scim_tokens where id = $1 and organization_id = $2 returning ${columns}`,
          [id, organizationId],
        )
        if (!rows[0]) return false
        await insertAuditEvents(tx, admit(toScimToken(rows[0])))
        return true
      }),
  }
}
