import type { Database } from '../connection/database.ts'

/** When these grants were used last, by what outlives them. */
const lastUse = (columns: string) => `
  select ${columns}, max(last_used_at) as last_used_at from grants
   where id = any($1::uuid[]) group by ${columns}`

// Rows that somebody else is changing are passed over: nothing waits here, so nothing can wait in a circle, and when an
// app was last used is a help for people, not a rule.
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
 * Removes grants. When they were used is kept for the person and for the admins: what they have said yes to is still there.
 * @returns the number of grants removed
 */
export const removeGrants = async (database: Database, ids: readonly string[]): Promise<number> => {
  // First: whoever comes again after a crash finds the grants, and says the same.
  await database.query(keptByConsents, [ids])
  await database.query(keptByInstalls, [ids])
  return (await database.query('delete from grants where id = any($1::uuid[])', [ids])).count
}
