import type {
  DigestTable,
  MasterKeyStore,
  SealedTable,
} from '../../../core/credentials/master-keys.ts'
import type { Queryable } from '../connection/database.ts'

const sealedColumns: Record<SealedTable, { id: string; sealed: string }> = {
  signing_keys: { id: 'kid', sealed: 'sealed_private_key' },
  rsa_signing_keys: { id: 'kid', sealed: 'sealed_private_key' },
  key_set_secrets: { id: 'id', sealed: 'sealed' },
  webhook_secrets: { id: 'id', sealed: 'sealed' },
  audit_streams: { id: 'id', sealed: 'sealed' },
}

const idColumns: Record<DigestTable, string> = {
  app_secrets: 'id',
  key_set_secrets: 'id',
  resource_servers: 'client_id',
  operator_tokens: 'id',
  scim_tokens: 'id',
}

export const createMasterKeyStore = (database: Queryable): MasterKeyStore => ({
  sealedIn: async (table, after) => {
    const { id, sealed } = sealedColumns[table]
    const digest = table === 'key_set_secrets' ? 'digest' : 'null::bytea'
    return database.rows(
      `select ${id} as id, ${sealed} as sealed, ${digest} as digest
         from ${table} where ${id} > $1 and ${sealed} is not null order by ${id} limit 1000`,
      [after],
    )
  },
  replaceSealed: async (table, rowId, from, to) => {
    const { id, sealed } = sealedColumns[table]
    return database.affects(
      `update ${table} set ${sealed} = $3 where ${id} = $1 and ${sealed} = $2`,
      [rowId, from, to],
    )
  },
  digestsIn: (table) =>
    database.rows(`select digest_key_id as "keyId", count(*)::integer as rows from ${table}
        group by digest_key_id order by digest_key_id nulls last`),
  renew: async (table, digests, keyId) => {
    const id = idColumns[table]
    await database.query(
      `update ${table} t set digest = n.made, digest_key_id = $4
         from unnest($1::text[], $2::bytea[], $3::bytea[]) as n (id, was, made)
        where t.${id} = n.id and t.digest = n.was
          and (t.digest <> n.made or t.digest_key_id is distinct from $4)`,
      [
        digests.map((one) => one.id),
        digests.map((one) => one.from),
        digests.map((one) => one.to),
        keyId,
      ],
    )
  },
})
