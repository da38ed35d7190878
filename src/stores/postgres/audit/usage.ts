import type { UsageStore } from '../../../core/audit/usage.ts'
import type { IssuedCount, UsageDay, UsageReportStore } from '../../../core/audit/usage-report.ts'
import type { AppRequestsDeps } from '../../../core/clients/app-requests.ts'
import { partsOfPlace } from '../../../core/language/paging.ts'
import { dayNumber } from '../../../core/language/period.ts'
import { column, computed, selected } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { organizationExists } from '../connection/lists.ts'

// All writers lock in the same order. Counts of an organization that is deleted meanwhile are dropped.
const addStatement = `
with known as materialized (
  select id from organizations where id = any(array(
    select "organizationId" from jsonb_to_recordset($1::jsonb) as part ("organizationId" text)))
  order by id for key share
)
insert into usage_days as u (organization_id, day, client_id, outcome, reason, count)
select part."organizationId", part.day, part."clientId", part.outcome, part.reason, part.count
  from jsonb_to_recordset($1::jsonb) as part ("organizationId" text, day date, "clientId" text,
    outcome text, reason text, count bigint)
  join known on known.id = part."organizationId"
 order by 1, 2, 3, 4, 5
on conflict (organization_id, day, client_id, outcome, reason)
do update set count = u.count + excluded.count`

export const createUsageStore = (database: Database): UsageStore => ({
  add: (counts) => database.run(addStatement, [JSON.stringify(counts)]),
})

/** Counts of one app in all organizations. */
export const createAppUsageStore = (database: Database): AppRequestsDeps['store'] => ({
  ofApp: (clientId, { from, to }) =>
    database.rows(
      `select case when outcome = 'refused' then reason end as reason, sum(count)::float8 as count
       from usage_days where client_id = $1 and day between $2 and $3
       group by 1 order by 2 desc, 1`,
      [clientId, from, to],
    ),
})

const day = computed('day::text')
const countsOf = (outcome: string) =>
  computed(`coalesce(jsonb_object_agg(reason, count) filter (where outcome = '${outcome}'), '{}')`)

const dayColumns = selected<UsageDay>({
  day,
  clientId: column,
  issued: countsOf('issued'),
  refused: countsOf('refused'),
})
const issuedColumns = selected<IssuedCount>({
  day,
  clientId: column,
  count: computed('sum(count)::float8'),
})

const lastDay = dayNumber('9999-12-31')

/** The day and the app in a place of the list. */
const placeOf = (place: string | null): [number, string] => {
  const [day, clientId] = partsOfPlace(place) ?? ['0', '']
  return [Math.min(Number(day), lastDay), clientId]
}

export const createUsageReportStore = (database: Database): UsageReportStore => ({
  page: async (organizationId, { from, to }, page) => {
    if (!(await organizationExists(database, organizationId))) return null
    return database.page(
      page,
      `select ${dayColumns}, (day - 'epoch'::date) || '.' || client_id as place
       from usage_days
       where organization_id = $1 and day between $2 and $3
         and (day, client_id) > ('epoch'::date + $4::integer, $5::text)
       group by usage_days.day, client_id
       order by usage_days.day, client_id limit $6::integer + 1`,
      [organizationId, from, to, ...placeOf(page.after), page.limit],
    )
  },

  issued: (organizationId, { from, to }) =>
    database.rows(
      `select ${issuedColumns} from usage_days
       where organization_id = $1 and day between $2 and $3 and outcome = 'issued'
       group by usage_days.day, client_id order by usage_days.day, client_id`,
      [organizationId, from, to],
    ),

  refused: (organizationId, { from, to }) =>
    database.rows(
      `select reason, sum(count)::float8 as count from usage_days
       where organization_id = $1 and day between $2 and $3 and outcome = 'refused'
       group by reason order by 2 desc, 1`,
      [organizationId, from, to],
    ),
})
