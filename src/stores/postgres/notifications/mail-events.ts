import type { AuditEvent } from '../../../core/audit/audit.ts'
import { networkOf } from '../../../core/language/ip-address.ts'
import {
  isMailType,
  mailRuleOf,
  mailTypes,
  passwordRequest,
} from '../../../core/notifications/mail-rules.ts'
import type {
  QueuedPasswordRequest,
  RequestCause,
} from '../../../core/notifications/password-requests.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import type { Queryable } from '../connection/database.ts'
import { hasRow } from '../connection/has-signed-in.ts'

interface QueuedEvent {
  id: string
  type: string
  organization_id: string | null
  client_id: string | null
  user_id: string | null
  detail: Record<string, unknown>
}

/** Per organization. */
const mostAdmins = 100
/** Mails to admins and members about an organization, within an hour. Its next ones are not sent. */
const mostOfOrganization = 1000
/** Mails that may wait are sent at once until a user got so many within an hour; then they wait for each other. */
const mostAnHour = 5

// One instance at a time: the limits below count the mails of the transactions before.
const lockExpansion = `select pg_try_advisory_xact_lock(hashtext('latchkey mails')) as held`

// Events of a newer version stay for its instances.
const takeEvents = `delete from mail_events where id = any(array(
    select one.id from unnest($1::text[]) kind (type) cross join lateral (
      select id from mail_events where type = kind.type order by created_at limit $2::integer) one))
  returning id, type, organization_id, client_id, user_id, detail`

/** A user who has signed in, or whose address is verified: no stranger whom an organization has named. */
const isKnown = `(coalesce(lower(u.verified_email) = lower(u.email), false)
  or ${hasRow('sessions', 'u')} or ${hasRow('sign_in_places', 'u')})`

const insertMails = `with event as (
    select * from jsonb_to_recordset($1::jsonb) as event (id text, type text, category text,
      audiences text[], most integer, within integer, organization_id text, client_id text,
      user_id text, email text, detail jsonb)),
  addressee as (
    select event.id || person.suffix as event_id, event.type, event.category, event.client_id,
      event.detail || case when event.category = 'account' then jsonb_build_object(
        'epochs', jsonb_build_array(u.credentials_epoch, u.sessions_epoch)) else '{}' end
        || case when event.category = 'requests' and u.id <> event.user_id
          then jsonb_build_object('asker_id', event.user_id) else '{}' end as detail,
      event.most, event.within, u.id as user_id, person.organization_id,
      row_number() over (partition by u.id, event.type, event.client_id, person.organization_id
        order by event.id) as nth,
      event.organization_id as cause_id, event.category in ('security', 'account') as is_urgent,
      row_number() over (partition by event.organization_id, event.category in ('security', 'account')
        order by event.id) as nth_of_organization
    from event cross join lateral (
      select event.user_id as id, event.organization_id, '' as suffix
       where 'person' = any(event.audiences)
      union all
      select u.id, null, '' from users u
       where 'passwordless' = any(event.audiences) and u.id = event.user_id and u.password_hash is null
      union all
      (select m.user_id, m.organization_id, '' from members m
        where 'admins' = any(event.audiences) and m.role = 'admin'
          and m.organization_id = event.organization_id order by m.created_at limit ${mostAdmins})
      union all
      select o.user_id, null, '' from app_owners o
       where 'owners' = any(event.audiences) and o.client_id = event.client_id
      union all
      select m.user_id, m.organization_id, ':' || m.organization_id from installs i
        join apps a on a.client_id = i.client_id
        join members m on m.organization_id = i.organization_id and m.role = 'admin'
       where 'installers' = any(event.audiences) and i.client_id = event.client_id
         and i.ended_at is null and not a.permissions <@ (i.permissions || i.declined_permissions)
      union all
      (select distinct g.user_id, event.organization_id, '' from installs i
        join grants g on g.install_id = i.id and g.ended_at is null
       where 'narrowed' = any(event.audiences) and i.organization_id = event.organization_id
         and i.client_id = event.client_id and i.ended_at is null
         and (event.detail -> 'narrowed' -> 'permissions' ?| g.permissions
           or (event.detail -> 'narrowed' -> 'audience' = 'true' and kept_out(i, g.user_id) is not null)
           or (event.detail -> 'narrowed' -> 'workspaces' = 'true' and exists (
             select from workspace_members wm join workspaces w on w.id = wm.workspace_id
              where wm.user_id = g.user_id and w.organization_id = i.organization_id
                and coalesce(w.id = any(g.workspace_ids), true) and not w.id = any(i.workspace_ids)))))
      union all
      select u.id, null, '' from users u
       where 'address' = any(event.audiences) and lower(u.email) = event.email
         and (u.password_hash is not null or (u.provisioned_by is null
           and not exists (select from user_identities i where i.user_id = u.id)))
    ) person
    -- Not merged into the join: each user is read by the index.
    cross join lateral (select u.* from users u
      where u.id = person.id and u.disabled_at is null
        and not exists (select from test_people t where t.user_id = u.id)
        and not exists (select from mail_choices c
          where c.user_id = u.id and c.category = event.category) offset 0) u
    where event.category = 'account' or (event.category = 'security' and u.id = event.user_id)
      or ${isKnown}),
  recent as (
    select cause_id, (select count(*) from mails k where k.organization_id = cause_id
        and k.created_at > clock_timestamp() - interval '1 hour'
        and k.category not in ('security', 'account') and k.type <> 'app.asks_for_more') as sent
      from (select distinct cause_id from addressee where not is_urgent and cause_id is not null) one)
  insert into mails (user_id, event_id, type, category, organization_id, client_id, detail,
    next_attempt_at)
  select user_id, event_id, type, category, organization_id, client_id, detail,
    case when category in ('security', 'account') then clock_timestamp()
      else coalesce((select case when count(*) >= ${mostAnHour} then min(k.created_at) + interval '1 hour' end
        from mails k where k.user_id = addressee.user_id and k.category not in ('security', 'account')
          and k.created_at > clock_timestamp() - interval '1 hour'), clock_timestamp()) end
  from addressee left join recent using (cause_id)
  where (is_urgent or sent is null or nth_of_organization + sent <= ${mostOfOrganization})
    and nth + (select count(*) from mails k where k.user_id = addressee.user_id
      and k.type = addressee.type and k.client_id is not distinct from addressee.client_id
      and k.organization_id is not distinct from addressee.organization_id
      and k.created_at > clock_timestamp() - make_interval(secs => within)) <= most
  on conflict (user_id, event_id) do nothing
  returning user_id, event_id`

// The first sign-in of a user has no place to compare with.
const rememberPlaces = `with place as (
    select event.id, event.user_id, s.browser, s.system, s.address, p.place
      from jsonb_to_recordset($1::jsonb) as event (id text, user_id text, session_id text, network text)
      join sessions s on s.id = event.session_id and s.user_id = event.user_id
      cross join lateral (values ('device ' || concat_ws(' ', s.browser, s.system)),
        ('network ' || event.network)) p (place)),
  known as (select distinct user_id from sign_in_places where user_id in (select user_id from place)),
  remembered as (
    insert into sign_in_places (user_id, place) select distinct user_id, place from place
    on conflict (user_id, place) do update set seen_at = clock_timestamp()
    returning user_id, place, xmax = 0 as is_new)
  select distinct on (place.id) place.id, browser, system, address
    from place join remembered using (user_id, place) join known using (user_id)
   where is_new order by place.id`

type NewPlace = { id: string } & Record<'browser' | 'system' | 'address', string | null>

const isSignIn = ({ type }: QueuedEvent) => type === 'session.signed_in'

/** Drops sign-ins from known places, and describes the others. */
const withNewPlaces = async (tx: Queryable, events: QueuedEvent[]): Promise<QueuedEvent[]> => {
  const signIns = events.filter(isSignIn)
  if (signIns.length === 0) return events
  const sent = signIns.map(({ id, user_id, detail }) => ({
    id,
    user_id,
    session_id: detail.session_id,
    network: networkOf(String(detail.address ?? '')),
  }))
  const rows = await tx.rows<NewPlace>(rememberPlaces, [JSON.stringify(sent)])
  const places = new Map(rows.map(({ id, ...place }) => [id, place]))
  return events.flatMap((event) => {
    const place = places.get(event.id)
    if (!isSignIn(event)) return [event]
    return place ? [{ ...event, detail: { ...place } }] : []
  })
}

type Addressee = Record<'user_id' | 'event_id', string>

/** The requests for a password whose mail is queued now. An event of the previous version has no cause. */
const requestsIn = (events: readonly QueuedEvent[], addressees: readonly Addressee[]) => {
  const byId = new Map(events.map((event) => [event.id, event]))
  return addressees.flatMap(({ user_id: userId, event_id }) => {
    const event = byId.get(event_id)
    if (event?.type !== passwordRequest) return []
    const none = { address: null, requestId: null }
    return [{ userId, ...none, ...(event.detail.cause as RequestCause | undefined) }]
  })
}

/**
 * Replaces events by the mails that they cause.
 * @param most of each type
 * @param requested makes the audit event of a request for a password
 * @returns the number of events
 */
export const expandEvents = async (
  tx: Queryable,
  most: number,
  requested: (request: QueuedPasswordRequest) => AuditEvent,
): Promise<number> => {
  if (!(await tx.value<boolean>(lockExpansion))) return 0
  const rows = await tx.rows<QueuedEvent>(takeEvents, [mailTypes, most])
  const rule = (event: QueuedEvent) => {
    if (!isMailType(event.type)) return []
    const { email, cause: _, ...detail } = event.detail
    return [{ ...event, ...mailRuleOf(event.type), email, detail }]
  }
  const events = (await withNewPlaces(tx, rows)).flatMap(rule)
  if (events.length === 0) return rows.length
  const queued = await tx.rows<Addressee>(insertMails, [JSON.stringify(events)])
  await insertAuditEvents(tx, requestsIn(rows, queued).map(requested))
  return rows.length
}
