import type { Database } from '../connection/database.ts'

/** The last use of these grants, by the columns of a row that outlives them. */
const lastUse = (columns: string) => `
  select ${columns}, max(last_used_at) as last_used_at from grants
   where id = any($1::uuid[]) group by ${columns}`

// Rows that are locked are skipped, so nothing waits here and no deadlock is possible. The last use informs users; no
// rule depends on it.
const keptByConsents = `
with g as (${lastUse('user_id, organization_id, client_id')}), free as (
  select c.user_id, c.organization_id, c.client_id, g.last_used_at
    from g join consents c using (user_id, organization_id, client_id)
   where g.last_used_at > coalesce(c.last_used_at, '-infinity') for no key update of c skip locked)
update consents c set last_used_at = free.last_used_at from free
 where c.user_id = free.user_id and c.organization_id = free.organization_id and c.client_id = free.client_id`

const keptByInstalls = `
with g as (${lastUse('install_id')}), free as (
  select i.id, g.last_used_at from g join installs i on i.id = g.install_id
   where g.last_used_at > coalesce(i.last_used_at, '-infinity') for no key update of i skip locked)
update installs i set last_used_at = free.last_used_at from free where i.id = free.id`

/**
 * Removes grants. Their last use is kept for users and admins, whose consents and installs remain.
 * @returns the number of removed grants
 */
export const removeGrants = async (database: Database, ids: readonly string[]): Promise<number> => {
  // The last use is kept first: after a crash the grants are found again, with the same result.
  await database.query(keptByConsents, [ids])
  await database.query(keptByInstalls, [ids])
  return (await database.query('delete from grants where id = any($1::uuid[])', [ids])).count
}
