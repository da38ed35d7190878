import type { AuditEvent } from '../../../core/audit/audit.ts'
import { type OpenidScope, openidNow } from '../../../core/clients/openid.ts'
import type {
  Connection,
  ConnectionKey,
  ConnectionStore,
  EndedConnection,
  EndedConsent,
} from '../../../core/grants/connections.ts'
import { intersect } from '../../../core/language/permissions.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { lastUseFor } from '../audit/last-use.ts'
import { appJoins, appJson } from '../clients/app-columns.ts'
import { computed, of, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { asText, listIds } from '../connection/lists.ts'
import { foundNearby } from '../connection/search-sources.ts'
import { keptOut } from '../organizations/live.ts'

interface ConnectionRow extends Omit<Connection, 'permissions' | 'openidScopes'> {
  ownPermissions: string[]
  installPermissions: string[]
  storedScopes: OpenidScope[] | null
}

const columns = selected<ConnectionRow>({
  app: computed(appJson),
  organizationId: of('o', 'id'),
  organizationName: of('o', 'name'),
  ownPermissions: computed(
    'coalesce(c.permissions, case when ac.user_id is not null then i.permissions end, g.permissions)',
  ),
  installPermissions: of('i', 'permissions'),
  storedScopes: of('c', 'openid_scopes'),
  workspaceIds: of('c'),
  workspaceNames: computed(`coalesce(w.names, '{}')`),
  since: computed('least(c.created_at, g.since, ac.created_at)'),
  lastUsed: computed(lastUseFor('i.id', '$1')),
  suspended: computed('i.suspended_at is not null'),
  keptOut: keptOut('i', '$1'),
  expiresAt: computed('least(i.expires_at, c.expires_at)'),
  idleSeconds: computed('least(i.idle_seconds, c.idle_seconds)'),
  movedFrom: of('l', 'name'),
  actors: computed(`coalesce(d.names, '{}')`),
})

/** `g` of the user and app of `ce` lives. */
const isLive = `g.ended_at is null and g.connection_epoch = coalesce(ce.epoch, 0)
  and coalesce(g.ends_at > now(), true)`

// A consent, or grants without one (a request on the legacy interface is answered at once if the app is already
// approved), or assertions of the identity provider, which may come again when their grants have expired.
const listed = {
  table: `members m
    cross join lateral (
      select install_id from consents
       where user_id = m.user_id and organization_id = m.organization_id
      union
      select g.install_id from grants g
        left join connection_epochs ce
          on ce.user_id = g.user_id and ce.client_id = g.client_id and ce.organization_id = g.organization_id
       where g.user_id = m.user_id and g.organization_id = m.organization_id and ${isLive}
      union
      select ac.install_id from asserted_connections ac
        join apps a on a.client_id = ac.client_id and a.identity_assertions
       where ac.user_id = m.user_id and ac.organization_id = m.organization_id
    ) k
    join installs i on i.id = k.install_id and i.ended_at is null
    join apps a on a.client_id = i.client_id and a.disabled_at is null
    join organizations o on o.id = i.organization_id
    left join consents c on c.install_id = i.id and c.user_id = m.user_id`,
  ...{
    where: 'm.user_id = ?',
    columns: 'i.id',
    key: 'i.id',
    created: 'i.created_at',
    order: 'name',
  },
  orders: {
    name: `lower(a.name) || ' ' || lower(o.name)`,
    organization: `lower(o.name) || ' ' || lower(a.name)`,
    last_used: asText(lastUseFor('i.id', 'm.user_id')),
  },
  search: foundNearby('app', 'i.client_id', 'a.name', 'o.name'),
}

/** Those of the user $1 by the installs in $2, in their order. */
const listQuery = `
select ${columns}
from installs i
join apps a on a.client_id = i.client_id
${appJoins}
join organizations o on o.id = i.organization_id
left join consents c
  on c.user_id = $1 and c.client_id = i.client_id and c.organization_id = i.organization_id
 and c.install_id = i.id
left join connection_epochs ce
  on ce.user_id = $1 and ce.client_id = i.client_id and ce.organization_id = i.organization_id
left join asserted_connections ac
  on ac.user_id = $1 and ac.client_id = i.client_id and ac.organization_id = i.organization_id
 and ac.install_id = i.id
left join lateral (
  select min(created_at) as since, max(moved_from) as moved_from,
         (select permissions from grants g where user_id = $1 and install_id = i.id and ${isLive}
           order by created_at desc limit 1) as permissions
    from grants g where user_id = $1 and install_id = i.id and ${isLive}
) g on true
left join apps l on l.client_id = g.moved_from
left join lateral (
  select array_agg(name order by name) as names from workspaces
   where organization_id is not distinct from o.id and id = any(c.workspace_ids) -- by ids, as in grant-columns.ts
) w on true
left join lateral (
  select array_agg(name order by name) as names from (
    select aa.name from delegations d
      join installs ai on ai.id = d.actor_install_id and ai.ended_at is null
      join apps aa on aa.client_id = ai.client_id
     where d.install_id = i.id and d.user_id = $1
     order by d.last_day desc, d.actor_install_id limit 20
  ) used
) d on true
where i.id = any($2) order by array_position($2::text[], i.id)`

const connectionOf = ({
  ownPermissions,
  installPermissions,
  storedScopes,
  ...connection
}: ConnectionRow): Connection => ({
  ...connection,
  permissions: intersect(connection.app.permissions, installPermissions, ownPermissions),
  openidScopes: openidNow(connection.app, storedScopes ?? []),
})

// Also ends the newest grants one by one, up to a fixed number: the previous version of a server or of a data API's
// library does not know epochs.
const endNewest = `
update grants g set ended_at = now(), ended_reason = 'disconnected'
  from (
    select n.id from installs i cross join (values (true), (false)) k (lasts) cross join lateral (
      select id, connection_epoch from grants
       where user_id = $1 and install_id = i.id and (expires_at is null) = k.lasts and ended_at is null
       order by created_at desc, id desc limit 500
    ) n
    where i.client_id = $2 and i.organization_id = $3 and i.ended_at is null
      and n.connection_epoch = coalesce((
        select epoch from connection_epochs where user_id = $1 and client_id = $2 and organization_id = $3), 0)
  ) newest
 where g.id = newest.id and g.ended_at is null
returning g.id`

// The increased epoch ends all other grants.
const nextEpoch = `
insert into connection_epochs (user_id, client_id, organization_id, epoch) values ($1, $2, $3, 1)
on conflict (user_id, client_id, organization_id) do update set epoch = connection_epochs.epoch + 1`

// Where members need an admin's approval, the next connection needs another one.
const useUpApproval = `
update install_requests set decision = 'used_up'
 where user_id = $1 and client_id = $2 and organization_id = $3 and decision = 'approved'`

/**
 * Deletes the consent and ends every grant.
 * @returns the ids of the ended grants; null when there was nothing to end
 */
export const endConnection = async (
  tx: Queryable,
  { userId, clientId, organizationId, audit }: ConnectionKey & { audit: AuditEvent },
): Promise<string[] | null> => {
  const values = [userId, clientId, organizationId]
  const consent = await tx.query(
    'delete from consents where user_id = $1 and client_id = $2 and organization_id = $3',
    values,
  )
  const asserted = await tx.query(
    'delete from asserted_connections where user_id = $1 and client_id = $2 and organization_id = $3',
    values,
  )
  const grants = await tx.query<{ id: string }>(endNewest, values)
  if (consent.count + asserted.count + grants.count === 0) return null
  await tx.query(nextEpoch, values)
  await tx.query(useUpApproval, values)
  await insertAuditEvents(tx, [audit])
  return grants.rows.map((row) => row.id)
}

const presentConsent = `
select to_jsonb(c) as row, array(select id from install_requests
    where user_id = $1 and client_id = $2 and organization_id = $3 and decision = 'approved') as "requestIds"
  from consents c where user_id = $1 and client_id = $2 and organization_id = $3 for update of c`

type Names = Pick<EndedConnection, 'app' | 'organization'>
const namesOf = `
select a.name as app, o.name as organization from apps a, organizations o where a.client_id = $1 and o.id = $2`

const presentEpoch = `
select epoch from connection_epochs
 where user_id = $1 and client_id = $2 and organization_id = $3 for update`

const restoreConsent = `
insert into consents
select c.* from jsonb_populate_record(null::consents, $4) c
  join installs i on i.id = c.install_id and i.ended_at is null
  join members m on m.organization_id = c.organization_id and m.user_id = c.user_id
 where c.user_id = $1 and c.client_id = $2 and c.organization_id = $3
   and coalesce(c.expires_at > now(), true)
   and not exists (select from denied_people d
     where d.organization_id = $3 and d.client_id = $2 and d.user_id = $1)
    on conflict (user_id, organization_id, client_id) do nothing`

const restoreApprovals = `
update install_requests set decision = 'approved'
 where user_id = $1 and client_id = $2 and organization_id = $3 and id = any($4) and decision = 'used_up'`

export const createConnectionStore = (database: Database): ConnectionStore => ({
  list: async (userId, page) => {
    const { ids, next } = await listIds(database, page, listed, [userId])
    const rows = await database.rows<ConnectionRow>(listQuery, [userId, ids], 'connections')
    return { items: rows.map(connectionOf), next }
  },
  end: database.inTransaction(async (tx, connection) => {
    const { userId, clientId, organizationId } = connection
    const values = [userId, clientId, organizationId]
    const before = await tx.row<Pick<EndedConsent, 'row' | 'requestIds'>>(presentConsent, values)
    const grantIds = await endConnection(tx, connection)
    if (grantIds === null) return null
    const [epoch = 0] = await tx.values<number>(presentEpoch, values)
    const names = await tx.row<Names>(namesOf, [clientId, organizationId])
    return names && { ...names, grantIds, consent: before && { ...before, epoch } }
  }),
  restore: ({ userId, clientId, organizationId, consent, audit }) =>
    database.transaction(async (tx) => {
      // As an answer of the user does.
      await tx.query(
        'select from members where organization_id = $1 and user_id = $2 for no key update',
        [organizationId, userId],
      )
      const values = [userId, clientId, organizationId]
      const [epoch] = await tx.values<number>(presentEpoch, values)
      if (epoch !== consent.epoch) return false
      const isRestored = await tx.affects(restoreConsent, [...values, JSON.stringify(consent.row)])
      if (!isRestored) return false
      await tx.query(restoreApprovals, [...values, consent.requestIds])
      await insertAuditEvents(tx, [audit])
      return true
    }),
})
