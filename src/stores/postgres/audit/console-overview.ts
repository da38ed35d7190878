import type { ConsoleOverviewStore, Ending } from '../../../core/audit/console-overview.ts'
import { daysOf } from '../../../core/language/period.ts'
import type { Database } from '../connection/database.ts'

const steps = `select
  (select client_id from apps order by interface, created_at, client_id limit 1) as "clientId",
  (select id from organizations o where not exists (select from sandboxes where organization_id = o.id)
    order by created_at, id limit 1) as "organizationId",
  exists (select from members) as person,
  exists (select from installs where ended_at is null) as install,
  exists (select from usage_days where outcome = 'issued') as token`

const upTo = (from: string) => `(select count(*)::integer from (select from ${from} limit $1) one)`

const waiting = `select ${upTo('app_reviews where decided_at is null')} as reviews,
  ${upTo('app_changes where decided_at is null')} as changes,
  ${upTo('apps where reviewed_at is null and disabled_at is null')} as "notReviewed", (
    select coalesce(json_agg(most), '[]') from (
      select o.id, o.name, count(distinct r.client_id) as count
        from (select organization_id, client_id from install_requests
               where decided_at is null and decision is null order by created_at limit $1) r
        join organizations o on o.id = r.organization_id
       group by o.id order by 3 desc, o.name limit 3) most) as requests`

const issuedOf = (outcome: string) =>
  `coalesce(sum(count) filter (where outcome = '${outcome}'), 0)::float8`
const eventsOf = (type: string) => `count(*) filter (where type = '${type}')::float8`

const tokens = `select day::text, ${issuedOf('issued')} as issued, ${issuedOf('refused')} as refused
  from usage_days where day between $1 and $2 group by usage_days.day`

const midnight = (day: string) => `(${day}::timestamp at time zone 'utc')`

// Only the index audit_events_counted is read.
const events = `select day::text, "signedIn", connected from (
  select (at at time zone 'utc')::date as day,
      ${eventsOf('session.signed_in')} as "signedIn", ${eventsOf('consent.granted')} as connected
    from audit_events where type in ('session.signed_in', 'consent.granted')
     and at >= ${midnight('$1::date')} and at < ${midnight('($2::date + 1)')} group by 1) counted`

/** @param from the table and its joins, with `t` for what ends */
const endingIn = (kind: Ending['kind'], columns: string, from: string) =>
  `(select '${kind}' as kind, ${columns}, t.expires_at as "expiresAt" from ${from}
     where t.expires_at > now() and t.expires_at <= now() + interval '30 days' order by t.expires_at limit 10)`

const ofApp = 'join apps a on a.client_id = t.client_id'
const nowhere = 'null as "organizationId", null as "organizationName"'
const within = 'o.id as "organizationId", o.name as "organizationName"'
const organizationOf = (table: string) => `join organizations o on o.id = ${table}.organization_id`

const ending = `${[
  endingIn('app', `a.name, a.client_id as id, ${nowhere}`, `app_secrets t ${ofApp}`),
  endingIn(
    'key_set',
    `k.name, k.id, ${within}`,
    `key_set_secrets t join key_sets k on k.id = t.key_set_id ${organizationOf('k')}`,
  ),
  endingIn('operator_token', `t.name, t.id, ${nowhere}`, 'operator_tokens t'),
  endingIn(
    'install',
    `a.name, a.client_id as id, ${within}`,
    `(select * from installs where ended_at is null) t ${ofApp} ${organizationOf('t')}`,
  ),
].join(' union all ')} order by "expiresAt" limit 10`

// A message that has failed waits longer than a new one, so the last one in the queue tells.
const failing = `select (
    select coalesce(json_agg(one), '[]') from (
      select w.id, w.url, w.disabled_at is not null as "isDisabled" from webhooks w
       where w.disabled_reason in ('gone', 'failing') or coalesce((
         select attempts > 0 from webhook_deliveries
          where webhook_id = w.id and next_attempt_at is not null
          order by next_attempt_at desc limit 1), false)
       order by w.created_at, w.id limit 5) one) as webhooks, (
    select count(*)::integer from (
      select last_error, sent_at from mails
       where created_at > now() - interval '7 days' order by created_at desc limit 1000) m
     where last_error is not null and sent_at is null) as mails, (
    select coalesce(json_agg(one), '[]') from (
      select client_id as id, name from resource_servers where exists (select from feed_readers
        where resource_server = client_id and is_silent and last_poll_at > now() - interval '1 day')
       order by created_at, client_id limit 5) one) as silent`

const takenOver = `select
  (select count(*)::integer from applied_imports where kind = 'grant') as all,
  count(*) filter (where used)::integer as used,
  count(*) filter (where not used and ended_at is null)::integer as left
  from grants where taken_over_from is not null`

const none = { issued: 0, refused: 0, signedIn: 0, connected: 0 }

export const createConsoleOverviewStore = (database: Database): ConsoleOverviewStore => ({
  steps: () => database.one(steps, [], 'first_steps'),
  waiting: (most) => database.one(waiting, [most], 'overview_waiting'),
  days: async (period) => {
    const values = [period.from, period.to]
    const [usage, trail] = await Promise.all([
      database.rows<{ day: string }>(tokens, values, 'overview_tokens'),
      database.rows<{ day: string }>(events, values, 'overview_events'),
    ])
    return daysOf(period).map((day) => {
      const [ofUsage, ofTrail] = [usage, trail].map((rows) => rows.find((one) => one.day === day))
      return { ...none, ...ofUsage, ...ofTrail, day }
    })
  },
  ending: () => database.rows(ending, [], 'overview_ending'),
  takenOver: () => database.one(takenOver, [], 'overview_taken_over'),
  failing: () => database.one(failing, [], 'overview_failing'),
})
