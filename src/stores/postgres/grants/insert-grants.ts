import type { Grant } from '../../../core/grants/grant.ts'
import type { InsertedGrant } from '../../../core/grants/store.ts'
import { batched } from '../connection/batched-reads.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { openidColumn } from './grant-columns.ts'

interface InsertedRow {
  id: string
  connection_epoch: number
  others: number
}

interface GrantOrigin {
  /** The app and token that the grant succeeds; absent: none. */
  from?: { clientId: string; generation: number }
  /** The connection's epoch when the approval was read; absent: the present one, which a trigger sets. */
  epoch?: number | undefined
}

const columns = `id, user_id, client_id, organization_id, install_id, app_epoch, user_epoch, permissions,
  workspace_ids, redirect_uri, code_challenge, openid, dpop_jkt, connection_epoch, resources, auth_time, acr,
  by_device, expires_at, moved_from, moved_generation`

/** @param most the parameter with the maximum count of other grants */
const returning = (most: string) => `
on conflict (id) do nothing
returning id, connection_epoch, (select count(*)::integer from (
  select from grants
   where user_id = g.user_id and install_id = g.install_id
     and (expires_at is null) = (g.expires_at is null) and ended_at is null
   order by created_at desc, id desc limit ${most}) o) as others`

const insertOne = `
insert into grants as g (${columns})
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
  $15, $16, $17, $18, now() + $19::integer * interval '1 second', $20, $21)
${returning('$22')}`

// Leaves out each grant whose user, install, organization or app is being deleted or is gone. So no grant waits for the
// deletion of another one's organization, and none makes the others fail.
const insertSeveral = `
with new as materialized (
  select r.* from json_to_recordset($1::json) as r (
    id uuid, user_id text, client_id text, organization_id text, install_id text, app_epoch integer,
    user_epoch integer, permissions text[], workspace_ids text[], redirect_uri text, code_challenge text,
    openid jsonb, dpop_jkt text, connection_epoch integer, resources text[], auth_time bigint, acr text,
    by_device boolean, lifetime integer
  ) cross join lateral (
    select from users u, installs i, organizations o, apps a
     where u.id = r.user_id and i.id = r.install_id and o.id = r.organization_id and a.client_id = r.client_id
       for key share of u, i, o, a skip locked
  ) held
)
insert into grants as g (${columns})
select id, user_id, client_id, organization_id, install_id, app_epoch, user_epoch, permissions,
  workspace_ids, redirect_uri, code_challenge, openid, dpop_jkt, connection_epoch, resources, auth_time, acr,
  by_device, now() + lifetime * interval '1 second', null, null
from new ${returning('$2')}`

const rowOf = (grant: Grant, epoch: number | undefined) => ({
  id: grant.id,
  user_id: grant.userId,
  client_id: grant.clientId,
  organization_id: grant.organizationId,
  install_id: grant.installId,
  app_epoch: grant.appEpoch,
  user_epoch: grant.userEpoch,
  permissions: grant.permissions,
  workspace_ids: grant.workspaceIds,
  redirect_uri: grant.redirectUri,
  code_challenge: grant.codeChallenge,
  openid: openidColumn(grant),
  dpop_jkt: grant.dpopJkt,
  connection_epoch: epoch ?? null,
  resources: grant.resources ?? null,
  auth_time: grant.authentication?.authenticatedAt ?? null,
  acr: grant.authentication?.contextClass ?? null,
  by_device: grant.byDevice ?? false,
  lifetime: grant.lifetime,
})

const insertedOf = (row: InsertedRow | null | undefined): InsertedGrant | null =>
  row ? { connectionEpoch: row.connection_epoch, others: row.others } : null

/** @returns null when a grant with this id exists already */
export const insertGrant = async (
  on: Queryable,
  grant: Grant,
  { from, epoch }: GrantOrigin,
  countUpTo: number,
): Promise<InsertedGrant | null> => {
  const origin = [from?.clientId ?? null, from?.generation ?? null]
  const values = [...Object.values(rowOf(grant, epoch)), ...origin, countUpTo]
  return insertedOf(await on.row<InsertedRow>(insertOne, values, 'insert_grant'))
}

/** Counts the grants of a batch that the database did not count as others, because one statement inserted them all. */
const countBefore = () => {
  const counts = new Map<string, number>()
  return ({ userId, installId, lifetime }: Grant) => {
    const kind = `${userId} ${installId} ${lifetime === null}`
    const count = counts.get(kind) ?? 0
    counts.set(kind, count + 1)
    return count
  }
}

/**
 * Inserts concurrent grants with one statement: its transaction costs Postgres more than the rows.
 * @returns a function like `insertGrant`
 */
export const batchedInsert = (database: Database) => {
  const insertAlone = (grant: Grant, countUpTo: number) =>
    insertGrant(database, grant, { epoch: grant.connectionEpoch }, countUpTo)

  const insertTogether = async (grants: readonly Grant[], countUpTo: number) => {
    const rows = grants.map((grant) => rowOf(grant, grant.connectionEpoch))
    const values = [JSON.stringify(rows), countUpTo]
    const result = await database.rows<InsertedRow>(insertSeveral, values, 'insert_grants')
    return new Map(result.map((row) => [row.id, row]))
  }

  const insert = batched<InsertedGrant>(database, 'insert_grants', async (batch) => {
    const requested = batch as readonly [Grant, number][]
    const [first] = requested
    if (!first) return []
    if (requested.length === 1) return [await insertAlone(...first)]
    const grants = requested.map(([grant]) => grant)
    const found = await insertTogether(grants, first[1])
    const before = countBefore()
    return grants.map((grant) => {
      const inserted = insertedOf(found.get(grant.id))
      // Of two requests for one id the first gets the row.
      found.delete(grant.id)
      return inserted && { ...inserted, others: inserted.others + before(grant) }
    })
  })

  // A grant that was left out is inserted after the others have their answers, because it may have to wait.
  return async (grant: Grant, countUpTo: number) =>
    (await insert([grant, countUpTo])) ?? insertAlone(grant, countUpTo)
}
