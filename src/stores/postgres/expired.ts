import type { FamilyStore } from '../../services/families.ts'
import type { Database } from './database.ts'

const batch = 1000
const usageKeptDays = 400
const deliveriesKeptDays = 30
/** Each removes a batch of one table, by the index of its expiry. */
export const cleanUps = [
  `delete from records where ctid = any(array(
     select ctid from records where expires_at < now() limit ${batch}))`,
  `delete from families where ctid = any(array(
     select ctid from families where expires_at < now() limit ${batch}))`,
  `delete from counters where ctid = any(array(
     select ctid from counters where expires_at < now() limit ${batch}))`,
  ...['app_secrets', 'key_set_secrets', 'webhook_secrets', 'operator_tokens'].map(
    (table) => `delete from ${table} where ctid = any(array(
     select ctid from ${table} where expires_at < now() - interval '30 days' limit ${batch}))`,
  ),
  `delete from revoked_tokens where ctid = any(array(
     select ctid from revoked_tokens where expires_at < now() limit ${batch}))`,
  // The last entry stays: it is the place up to which readers have come.
  `delete from revocations where ctid = any(array(
     select ctid from revocations where until < now()
        and id < (select max(id) from revocations) limit ${batch}))`,
  `delete from usage_days where ctid = any(array(
     select ctid from usage_days
      where day <= (now() at time zone 'utc')::date - ${usageKeptDays} limit ${batch}))`,
  // Also what was told to webhooks that are gone; nothing waits that long.
  `delete from webhook_deliveries where ctid = any(array(
     select ctid from webhook_deliveries
      where created_at < now() - interval '${deliveriesKeptDays} days' limit ${batch}))`,
]

const deleteGrants = 'delete from grants where id = any($1::uuid[])'

const mostBatches = 100
const tableOf = (statement: string) => /^delete from (\w+)/.exec(statement)?.[1] as string

/** Until a batch is not full: what a busy minute leaves is gone a minute later. */
const inBatches = async (database: Database, statement: string) => {
  let removed = 0
  for (let at = 0; at < mostBatches; at++) {
    const { count } = await database.query(statement)
    removed += count
    if (count < batch) break
  }
  return removed
}

interface Unused {
  id: string
  /** As text: a Date would cut the microseconds off. */
  made: string
}

/** Grants that nobody has used, the oldest first, behind one of them. */
const unusedGrants = async (database: Database, after: Unused | null): Promise<Unused[]> => {
  const { rows } = await database.query<Unused>(
    `select id, created_at::text as made from grants
      where last_used_at is null and created_at < now() - interval '10 minutes'
        and ($1::timestamptz is null or (created_at, id) > ($1, $2::uuid))
      order by created_at, id limit ${batch}`,
    [after?.made ?? null, after?.id ?? null],
  )
  return rows
}

export const overGrants = `select id from grants where expires_at < now() order by expires_at limit ${batch}`

/** Grants that are over by themselves, with what is left of their families. */
const removeOverGrants = async (database: Database, families: Pick<FamilyStore, 'end'>) => {
  let removed = 0
  for (let at = 0; at < mostBatches; at++) {
    const { rows } = await database.query<{ id: string }>(overGrants)
    const ids = rows.map((row) => row.id)
    // The family first: its row is the only one that knows of it.
    for (const id of ids) await families.end(id)
    if (ids.length > 0) removed += (await database.query(deleteGrants, [ids])).count
    if (ids.length < batch) break
  }
  return removed
}

/**
 * Removes what has expired, a batch at a time.
 * A grant that was never used and whose family is gone was a code that nobody redeemed.
 * @param onRemoved is told the rows removed of each table
 * @returns the number of rows removed
 */
export const removeExpired = async (
  database: Database,
  families: Pick<FamilyStore, 'live' | 'end'>,
  onRemoved: (table: string, count: number) => void = () => undefined,
): Promise<number> => {
  let removed = 0
  const note = (table: string, count: number) => {
    removed += count
    onRemoved(table, count)
  }
  for (const statement of cleanUps) note(tableOf(statement), await inBatches(database, statement))
  note('grants', await removeOverGrants(database, families))

  for (let after: Unused | null = null; ; ) {
    const unused = await unusedGrants(database, after)
    const dead: string[] = []
    for (const { id } of unused) if ((await families.live(id)) === null) dead.push(id)
    if (dead.length > 0) note('grants', (await database.query(deleteGrants, [dead])).count)
    // Past those that live (an implicit grant, or one whose use was not noted before a crash).
    after = unused.at(-1) ?? null
    if (unused.length < batch) return removed
  }
}
