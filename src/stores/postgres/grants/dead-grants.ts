import type { FamilyStore } from '../../../core/grants/families.ts'
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

const batch = 1000
const batchesAtOnce = 10
const beginning = '00000000-0000-0000-0000-000000000000'

// Dead grants: ended themselves or with their install, or made before the app was disabled, the user's password
// changed or the user disconnected the app. The time of a changed epoch is not recorded, but the last use was before
// it.
const nextOnes = `
select g.id, coalesce(g.ended_at, i.ended_at, case when g.ends_at < now() then g.ends_at end,
    case when g.app_epoch <> a.families_epoch or g.user_epoch <> u.credentials_epoch
      or g.connection_epoch <> coalesce(ce.epoch, 0)
      then coalesce(g.last_used_at, g.created_at) end)
  < now() - make_interval(days => $2) as dead
from grants g
join installs i on i.id = g.install_id
join apps a on a.client_id = g.client_id
join users u on u.id = g.user_id
left join connection_epochs ce
  on ce.user_id = g.user_id and ce.client_id = g.client_id and ce.organization_id = g.organization_id
where g.id > $1
order by g.id limit ${batch}`

/**
 * Scans all grants, a few thousand per call and then from the beginning again, and removes those that have been dead
 * for `days`, with their families. A scan is needed because a change of one row elsewhere can end many grants.
 * @returns a function that continues the scan and resolves to the number of removed grants
 */
export const createDeadGrants = (
  database: Database,
  families: Pick<FamilyStore, 'end'>,
  days: number,
): (() => Promise<number>) => {
  let after = beginning

  const step = async () => {
    const rows = await database.rows<{ id: string; dead: boolean | null }>(
      nextOnes,
      [after, days],
      'grants_dead',
    )
    const dead = rows.filter((row) => row.dead).map((row) => row.id)
    // The family goes first: after a crash the grant is still found.
    for (const id of dead) await families.end(id)
    if (dead.length > 0) await removeGrants(database, dead)
    after = rows.length === batch ? (rows.at(-1)?.id ?? beginning) : beginning
    return dead.length
  }

  return async () => {
    let removed = 0
    for (let at = 0; at < batchesAtOnce; at++) {
      removed += await step()
      if (after === beginning) break
    }
    return removed
  }
}
