import type { FamilyStore } from '../../services/families.ts'
import type { Database } from './database.ts'

const batch = 1000
const usageKeptDays = 400
const statements = [
  `delete from records where ctid = any(array(
     select ctid from records where expires_at < now() limit ${batch}))`,
  `delete from families where ctid = any(array(
     select ctid from families where expires_at < now() limit ${batch}))`,
  `delete from counters where ctid = any(array(
     select ctid from counters where expires_at < now() limit ${batch}))`,
  `delete from app_secrets where ctid = any(array(
     select ctid from app_secrets where expires_at < now() - interval '30 days' limit ${batch}))`,
  `delete from usage_days where ctid = any(array(
     select ctid from usage_days
      where day <= (now() at time zone 'utc')::date - ${usageKeptDays} limit ${batch}))`,
]

/**
 * Removes what has expired, a batch at a time.
 * A grant that was never used and whose family is gone was a code that nobody redeemed.
 * @returns the number of rows removed
 */
export const removeExpired = async (
  database: Database,
  families: Pick<FamilyStore, 'isLive'>,
): Promise<number> => {
  let removed = 0
  for (const statement of statements) removed += (await database.query(statement)).count

  const { rows } = await database.query<{ id: string }>(
    `select id from grants
      where last_used_at is null and created_at < now() - interval '10 minutes'
      order by created_at limit ${batch}`,
  )
  const dead: string[] = []
  for (const { id } of rows) if (!(await families.isLive(id))) dead.push(id)
  if (dead.length > 0) {
    removed += (await database.query('delete from grants where id = any($1::uuid[])', [dead])).count
  }
  return removed
}
