import type { NewSecret, Secret } from '../../../core/credentials/secrets.ts'
import { type Columns, plain, selected } from '../connection/columns.ts'
import type { Queryable } from '../connection/database.ts'
import { recordValues } from './applied-values.ts'

export const columnsOfSecret: Columns<Secret> = {
  ...plain('id', 'hint', 'createdAt', 'lastUsedAt', 'expiresAt'),
}
export const secretColumns = selected(columnsOfSecret)

// clock_timestamp() and not now(): a transaction that waited for the owner's lock began before the secrets that it
// finds were made.
export const isActive = '(expires_at is null or expires_at > clock_timestamp())'

interface SecretTable {
  table: 'app_secrets' | 'key_set_secrets' | 'webhook_secrets'
  owner: 'client_id' | 'key_set_id' | 'webhook_id'
}

export const appSecretTable: SecretTable = { table: 'app_secrets', owner: 'client_id' }
export const keySetSecretTable: SecretTable = { table: 'key_set_secrets', owner: 'key_set_id' }
export const webhookSecretTable: SecretTable = { table: 'webhook_secrets', owner: 'webhook_id' }

/** These owners with their active secrets, oldest first. @param columns of a secret */
export const withSecrets = async <Owner extends { id: string }, Row extends object>(
  on: Queryable,
  { table, owner }: SecretTable,
  columns: Columns<Row>,
  owners: readonly Owner[],
) => {
  const secrets = new Map(owners.map(({ id }) => [id, [] as Row[]]))
  const rows = await on.rows<Row & { ownerId: string }>(
    `select ${selected(columns)}, ${owner} as "ownerId" from ${table}
      where ${owner} = any($1) and ${isActive} order by created_at, id`,
    [[...secrets.keys()]],
  )
  for (const { ownerId, ...secret } of rows) secrets.get(ownerId)?.push(secret as unknown as Row)
  return owners.map((one) => ({ ...one, secrets: secrets.get(one.id) ?? [] }))
}

/**
 * Sets an expiry on the owner's active secrets, unless they expire sooner. The owner's row must be locked.
 * @param after seconds; 0: at once
 * @returns the number of secrets that are still active
 */
export const retireSecrets = async (
  tx: Queryable,
  { table, owner }: SecretTable,
  ownerId: string,
  after: number,
): Promise<number> => {
  await tx.query(
    `update ${table}
     set expires_at = least(expires_at, clock_timestamp() + make_interval(secs => $2::integer))
     where ${owner} = $1 and ${isActive}`,
    [ownerId, after],
  )
  return tx.count(`${table} where ${owner} = $1 and ${isActive}`, [ownerId])
}

/** @param sealed the secret under the master key, where it is needed */
export const insertSecret = async (
  tx: Queryable,
  { table, owner }: SecretTable,
  ownerId: string,
  secret: NewSecret,
  sealed: Buffer | null = null,
): Promise<Secret> => {
  const extra =
    table === 'app_secrets'
      ? { column: 'foreign_hash', value: secret.foreignHash ?? null }
      : { column: 'sealed', value: sealed }
  if (secret.applied) await recordValues(tx, [{ ...secret.applied, ref: secret.id }])
  const { id, digest, digestKeyId, hint } = secret
  return tx.one(
    `insert into ${table} (id, ${owner}, digest, digest_key_id, hint, created_at, ${extra.column})
     values ($1, $2, $3, $4, $5, clock_timestamp(), $6) returning ${secretColumns}`,
    [id, ownerId, digest, digestKeyId, hint, extra.value],
  )
}
