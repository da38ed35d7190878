import type {
  InstallRequest,
  InstallRequestStore,
  OwnRequest,
} from '../../../core/organizations/install-requests.ts'
import { changeRows, insertAuditEvents } from '../audit/audit.ts'
import { appJoins, appJson } from '../clients/app-columns.ts'
import { type Columns, computed, nested, of, plain, selected } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { isLiveInstall } from './live.ts'
import { lockOrganization } from './organizations.ts'

const isLive = isLiveInstall('i')

const openColumns: Columns<InstallRequest> = {
  app: computed(appJson),
  isInstalled: computed('i.id is not null and not i.self'),
  ...plain('id', 'permissions', 'reason', 'createdAt'),
  cut: computed('cut_permissions(r.client_id)'),
  user: nested(plain('id', 'name', 'email'), 'u'),
}

const openQuery = `
select ${selected(openColumns, 'r')}
from install_requests r
join apps a on a.client_id = r.client_id and a.disabled_at is null
${appJoins}
join users u on u.id = r.user_id and u.disabled_at is null
join members m on m.organization_id = r.organization_id and m.user_id = r.user_id
left join installs i on i.organization_id = r.organization_id and i.client_id = r.client_id and ${isLive}
where r.organization_id = $1 and r.decided_at is null
order by r.created_at, r.id`

const ownColumns: Columns<OwnRequest> = {
  app: computed(appJson),
  ...plain('organizationId', 'reason', 'createdAt', 'refusalReason'),
  organizationName: of('o', 'name'),
  refusedAt: computed(`case when r.decision = 'refused' then r.decided_at end`),
  expiredAt: computed(`case when r.decision = 'expired' then r.decided_at end`),
}

// The latest request of each app and organization; older answers are outdated.
const ownQuery = `
select ${selected(ownColumns, 'r')}
from (
  select distinct on (organization_id, client_id) * from install_requests
  where user_id = $1 order by organization_id, client_id, created_at desc
) r
join apps a on a.client_id = r.client_id and a.disabled_at is null
${appJoins}
join organizations o on o.id = r.organization_id
left join organization_policies p on p.organization_id = r.organization_id
join members m on m.organization_id = r.organization_id and m.user_id = r.user_id
where (r.decided_at is null or (r.decision in ('refused', 'expired') and r.decided_at > now() - interval '30 days'))
  and (p.connect is not distinct from 'ask' or not exists (select 1 from installs i
    where i.organization_id = r.organization_id and i.client_id = r.client_id and not i.self and ${isLive}))
order by r.created_at desc, r.id`

/** An approval is for the person: who was outside the audience is named in it. */
const admitOutsiders = `
update installs i
   set updated_at = now(), audience = jsonb_set(audience, '{users}', (audience -> 'users') || asking.ids)
  from (
    select jsonb_agg(user_id order by user_id) as ids from unnest($3::text[]) user_id
     where inside_by((select audience from installs i
       where organization_id = $1 and client_id = $2 and ${isLive}), user_id) is null
  ) asking
 where organization_id = $1 and client_id = $2 and ${isLive} and audience is not null and asking.ids is not null`

const reopenAnswered = `
update install_requests r
   set decided_at = null, decided_by = null, decision = null, refusal_reason = null
 where organization_id = $1 and client_id = $2 and id = any($3) and decided_by is not distinct from $4
   and decision in ('approved', 'refused')
   and not exists (select from install_requests later
     where later.organization_id = $1 and later.client_id = $2 and later.user_id = r.user_id
       and (later.created_at, later.id) > (r.created_at, r.id))
returning user_id`

const ofAnswer = `organization_id = $1 and client_id = $2 and user_id = any($3)
  and type in ('install_request.approved', 'install_request.refused')`

/** The mails about an answer that no instance has sent yet. */
const dropMails = [
  `delete from mail_events where ${ofAnswer}`,
  `delete from mails where ${ofAnswer} and sent_at is null`,
]

export const createInstallRequestStore = (database: Database): InstallRequestStore => ({
  open: (organizationId) => database.rows(openQuery, [organizationId], 'open_requests'),
  ofUser: (userId) => database.rows(ownQuery, [userId], 'own_requests'),
  answer: database.inTransaction(
    async (tx, { decision, organizationId, clientId, ids, decidedBy, reason }, eventsOf) => {
      if (!(await lockOrganization(tx, organizationId))) return []
      const answered = await tx.rows<{ id: string; userId: string }>(
        `update install_requests set decided_at = now(), decided_by = $4, decision = $5, refusal_reason = $6
         where organization_id = $1 and client_id = $2 and decided_at is null
           and ($3::text[] is null or id = any($3))
         returning id, user_id as "userId"`,
        [organizationId, clientId, ids, decidedBy, decision, reason],
      )
      const userIds = answered.map(({ userId }) => userId)
      await insertAuditEvents(tx, eventsOf(userIds))
      if (decision === 'approved')
        await tx.query(admitOutsiders, [organizationId, clientId, userIds])
      return answered.map(({ id }) => id)
    },
  ),
  reopen: database.inTransaction(
    async (tx, { organizationId, clientId, ids, decidedBy }, eventsOf) => {
      if (!(await lockOrganization(tx, organizationId))) return 0
      const values = [organizationId, clientId]
      const userIds = await tx.values<string>(reopenAnswered, [...values, ids, decidedBy])
      for (const dropped of dropMails) await tx.query(dropped, [...values, userIds])
      await insertAuditEvents(tx, eventsOf(userIds))
      return userIds.length
    },
  ),
  // An approval locks the row until it commits; a concurrent withdrawal then finds it decided.
  withdraw: ({ userId, clientId, organizationId, events }) =>
    changeRows(
      database,
      `update install_requests set decided_at = now(), decided_by = $1, decision = 'withdrawn'
        where user_id = $1 and client_id = $2 and organization_id = $3 and decided_at is null`,
      [userId, clientId, organizationId],
      events,
    ),
})
