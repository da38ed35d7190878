import type { DelegationStore } from '../../../core/delegation/delegation.ts'
import { changeRows } from '../audit/audit.ts'
import { type Database, onForeignKeyViolation } from '../connection/database.ts'

const unnamed = `
select 1 from unnest($2::text[], $3::text[]) as link (actor, holder)
 where not exists (
   select 1 from apps where client_id in ($1, link.holder) and link.actor = any(may_act)
 ) limit 1`

// Returns a row on the first use of a day (UTC).
const recordUse = `
insert into delegations as d (install_id, user_id, actor_install_id, last_day)
values ($1, $2, $3, (now() at time zone 'utc')::date)
on conflict (install_id, coalesce(user_id, ''), actor_install_id)
  do update set last_day = excluded.last_day where d.last_day < excluded.last_day
returning 1`

export const createDelegationStore = (database: Database): DelegationStore => ({
  mayAct: async (clientId, links) => {
    const [actors, holders] = [links.map((one) => one.actor), links.map((one) => one.holder)]
    return !(await database.affects(unnamed, [clientId, actors, holders], 'may_act'))
  },
  record: async ({ installId, userId, actorInstallId }, event) => {
    const values = [installId, userId, actorInstallId]
    // An install or the user was deleted meanwhile. Introspection and the feed end the token.
    await changeRows(database, recordUse, values, [event]).catch(onForeignKeyViolation(false))
  },
})
