import type { GrantStore, SurplusGrant } from '../../../core/grants/store.ts'
import type { Database } from '../connection/database.ts'

/** Surplus grants that are examined and ended with each new grant. */
const atOnce = 20

// Scans from the newest grant back, and only as far as grants may be ended: the work for a new grant is bounded,
// however many exist. Dead grants do not count.
const query = `
with newest as materialized (
  select n.id, n.used, n.created_at, row_number() over (order by n.created_at, n.id) as at
    from grants g cross join lateral (
      select id, used, created_at, expires_at, ends_at, app_epoch, user_epoch, connection_epoch from grants
       where user_id = g.user_id and install_id = g.install_id
         and (expires_at is null) = (g.expires_at is null) and ended_at is null and id <> g.id
       order by created_at desc, id desc limit $2::integer + ${atOnce}
    ) n
   where g.id = $1 and n.app_epoch = g.app_epoch and n.user_epoch = g.user_epoch
     and n.connection_epoch = g.connection_epoch and coalesce(least(n.expires_at, n.ends_at) > now(), true)
), counted as (
  select count(*)::integer as total, count(*) filter (where not used)::integer as unused from newest
)
select counted.total, counted.unused, n.id, n.used,
  extract(epoch from now() - n.created_at)::float8 as age
from counted cross join lateral (
  (select id, used, created_at, at from newest order by at limit ${atOnce})
  union
  (select id, used, created_at, at from newest where not used order by at limit ${atOnce})
) n
where counted.total > $2
order by n.at`

type Row = SurplusGrant & Record<'total' | 'unused', number>

export const surplusOf =
  (database: Database): GrantStore['surplus'] =>
  async (grantId, most) => {
    // The new grant counts too.
    const others = most - 1
    const rows = await database.rows<Row>(query, [grantId, others], 'surplus_grants')
    const { total = 0, unused = 0 } = rows[0] ?? {}
    return {
      excess: Math.max(0, total - others),
      unused,
      oldest: rows.map(({ id, used, age }) => ({ id, used, age })),
    }
  }
