import { reminderTypes } from '../../../core/notifications/mail-rules.ts'
import type { EndingSecret, ReminderStore } from '../../../core/notifications/reminders.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { lastUseOfInstall } from '../audit/last-use.ts'
import type { Database } from '../connection/database.ts'

/** The same reminder may be given again after this time. */
const keep = `interval '400 days'`
const withMails = `exists (select from mail_service where seen_at > now() - interval '1 day')`

const soon = "expires_at > now() and expires_at <= now() + interval '30 days'"

// A reminder that is in the table was given. Of two instances at once, one inserts it.
const takeSecrets = `with ending as (
    select 'app' as kind, id, client_id, null as organization_id, expires_at from app_secrets
     where ${soon}
    union all
    select 'key_set', s.id, k.client_id, k.organization_id, s.expires_at
      from key_set_secrets s join key_sets k on k.id = s.key_set_id where s.${soon.replace(' and ', ' and s.')}),
  step as (
    select ending.*, case when expires_at <= now() + interval '1 day' then 1
      when expires_at <= now() + interval '7 days' then 7 else 30 end as days from ending),
  due as (
    select step.*, 'secret ' || id || ' ' || days as reminder from step
     where (select r.id from reminders r where r.id = 'secret ' || step.id || ' ' || step.days) is null
     order by expires_at limit $1::integer),
  given as (
    insert into reminders (id, expires_at) select reminder, expires_at + interval '1 day' from due
     order by 1 on conflict (id) do nothing returning id)
  select kind, due.id, client_id as "clientId", organization_id as "organizationId",
    expires_at as "expiresAt", days from due join given on given.id = due.reminder`

/** Gives the reminders of `due` (reminder, type, organization_id, client_id, detail), and queues their mails. */
const queueDue = `given as (
    insert into reminders (id, expires_at) select reminder, now() + ${keep} from due
     where ${withMails} order by 1 on conflict (id) do nothing returning id),
  queued as (
    insert into mail_events (id, type, organization_id, client_id, detail)
    select reminder, type, organization_id, client_id, detail from due join given on given.id = due.reminder
    on conflict (id) do nothing)`

const queueUnused = `with page as materialized (
    select id, organization_id, client_id, created_at, last_used_at, ended_at from installs
     where id > $2 order by id limit $3::integer),
  used as (
    select i.*, greatest(i.created_at, ${lastUseOfInstall}) as used_at
      from page i where ended_at is null),
  due as (
    select 'unused ' || id || ' ' || used_at::date as reminder, $1::text as type, organization_id,
      client_id, jsonb_build_object('used_at', used_at) as detail
      from used where used_at < now() - interval '90 days'),
  ${queueDue} select max(id) as last, count(*)::integer as count from page`

/** Far more often: at least 50 refusals today, and five times as many as on a day of the week before. */
const queueRefusals = `with counted as (
    select client_id, sum(count) filter (where day = $2::date) as today,
      coalesce(sum(count) filter (where day < $2::date), 0) / 7 as usual
      from usage_days where outcome = 'refused' and day between $2::date - 7 and $2::date
     group by client_id),
  due as (
    select 'refusals ' || client_id || ' ' || $2::date as reminder, $1::text as type,
      null::text as organization_id, client_id, jsonb_build_object('count', today) as detail
      from counted where today >= 50 and today >= 5 * usual
       and exists (select from app_owners o where o.client_id = counted.client_id)),
  ${queueDue} select 1`

export const createReminderStore = (database: Database): ReminderStore => ({
  endingSecrets: database.inTransaction(async (tx, most, eventsOf) => {
    const rows = await tx.rows<EndingSecret>(takeSecrets, [most])
    await insertAuditEvents(tx, eventsOf(rows))
    return rows.length
  }),

  unusedApps: async (after, most) => {
    const values = [reminderTypes.unusedApp, after, most]
    const page = await database.one<{ last: string | null; count: number }>(queueUnused, values)
    return page.count === most ? page.last : null
  },

  risingRefusals: async () => {
    const today = await database.value<string>(`select (now() at time zone 'utc')::date::text`)
    await database.run(queueRefusals, [reminderTypes.risingRefusals, today])
  },
})
