import type { AssertionStore } from '../../../core/grants/assertion-grant.ts'
import type {
  AssertedUser,
  AssertionPlace,
  WithPlaces,
} from '../../../core/grants/assertion-rules.ts'
import { changeRows } from '../audit/audit.ts'
import { computed, nested, of, plain, plainOf, selected } from '../connection/columns.ts'
import { type Database, onForeignKeyViolation } from '../connection/database.ts'
import { isLiveInstall, keptOut } from '../organizations/live.ts'
import { notAfter, paused } from './grant-columns.ts'
import { clientColumns, clientJoins, clientRead } from './grants.ts'

/** Organizations with one issuer that are searched for an install. A request to one of more must name it. */
const mostSearched = 100

const placeColumns = selected<AssertionPlace>({
  ...plainOf('ip', 'organizationId', 'issuer', 'jwksUri'),
  isAllowed: computed('ip.client_ids is null or a.client_id = any(ip.client_ids)'),
  install: nested<NonNullable<AssertionPlace['install']>>(
    {
      ...plain('id', 'permissions', 'workspaceIds'),
      ...{ paused: paused('i', 'a', 'op'), notAfter: notAfter('i') },
    },
    'i',
    'id',
  ),
})

const placesQuery = `
select ${selected(clientColumns)}, (
  select coalesce(json_agg(p), '[]') from (
    select ${placeColumns} from (
      select organization_id, issuer, jwks_uri, client_ids from identity_providers
       where issuer = $2 and ($3::text is null or organization_id = $3)
       order by organization_id limit ${mostSearched}
    ) ip
    left join organization_policies op on op.organization_id = ip.organization_id
    left join installs i
      on i.organization_id = ip.organization_id and i.client_id = a.client_id and ${isLiveInstall('i')}
    order by i.id is null, ip.organization_id limit 2
  ) p
) as places
from apps a ${clientJoins}
where a.client_id = $1`

const userColumns = selected<AssertedUser>({
  source: of('f'),
  ...plainOf('u', 'id', 'credentialsEpoch'),
  disabled: computed('u.disabled_at is not null'),
  isMember: computed('m.user_id is not null'),
  keptOut: keptOut('i', 'u.id'),
  connectionEpoch: computed('coalesce(ce.epoch, 0)'),
  consentExpired: computed('coalesce(c.expires_at <= now(), false)'),
  consent: nested<NonNullable<AssertedUser['consent']>>(
    { ...plain('permissions', 'workspaceIds'), notAfter: notAfter('c') },
    'c',
    'user_id',
  ),
  workspaceIds: of('w'),
})

// An address decides only for an account that has no other subject of this provider, and whose address no provider has
// set without having verified it: else a claimed address would open another user's account.
const usersQuery = `
select ${userColumns} from (
  select 'named' as source, id as user_id from users where id = $6
  union all
  select 'identity', user_id from user_identities where issuer = $4 and subject = $5
  union all
  (select 'provisioned', user_id from scim_users where organization_id = $1 and external_id = $5 limit 2)
  union all
  select 'linked', user_id from asserted_subjects
   where organization_id = $1 and issuer = $4 and subject = $5
  union all
  select 'own_id', id from users where id = $5
  union all
  select 'email', e.id from users e
   where lower(e.email) = $7
     and not exists (
       select from user_identities where user_id = e.id and (issuer = $4 or not email_verified))
     and not exists (
       select from asserted_subjects where organization_id = $1 and issuer = $4 and user_id = e.id)
) f
join users u on u.id = f.user_id
left join installs i on i.id = $3
left join members m on m.organization_id = $1 and m.user_id = u.id
left join connection_epochs ce
  on ce.user_id = u.id and ce.client_id = $2 and ce.organization_id = $1
left join consents c
  on c.user_id = u.id and c.client_id = $2 and c.organization_id = $1 and c.install_id = $3
left join lateral (
  select coalesce(array_agg(w.id order by w.id), '{}') as workspace_ids
    from workspace_members wm cross join lateral (
      select id from workspaces where id = wm.workspace_id and organization_id is not distinct from $1 offset 0
    ) w
   where wm.user_id = u.id
) w on true`

const linkSubject = `
insert into asserted_subjects (organization_id, issuer, subject, user_id)
select organization_id, issuer, $3, $4 from identity_providers where organization_id = $1 and issuer = $2
on conflict do nothing`

const linkedUser = `
select user_id from asserted_subjects where organization_id = $1 and issuer = $2 and subject = $3`

/** To the minute, so that a row in constant use is not written constantly. */
const connectUser = `
insert into asserted_connections as ac (user_id, client_id, organization_id, install_id) values ($1, $2, $3, $4)
on conflict (user_id, client_id, organization_id) do update
  set install_id = excluded.install_id, last_used_at = now()
where ac.install_id <> excluded.install_id or ac.last_used_at < now() - interval '1 minute'`

export const createAssertionStore = (database: Database): AssertionStore => ({
  load: clientRead<WithPlaces>(database, placesQuery, ['text', 'text', 'text'], 'load_assertion'),

  users: ({ organizationId, clientId, installId }, { issuer, subject, userId, email }) =>
    database.rows(
      usersQuery,
      [organizationId, clientId, installId, issuer, subject, userId, email],
      'asserted_users',
    ),

  connect: ({ organizationId, clientId, installId }, userId) =>
    database
      .run(connectUser, [userId, clientId, organizationId, installId])
      // The user, the app or the provider has just been removed: the grant cannot be made, or expires soon.
      .catch(onForeignKeyViolation(undefined)),

  link: ({ organizationId, issuer }, subject, userId, audit) =>
    database
      .transaction(async (tx) => {
        const key = [organizationId, issuer, subject]
        if (await changeRows(tx, linkSubject, [...key, userId], [audit])) return true
        // A concurrent request may have made the same link.
        return (await tx.value(linkedUser, key)) === userId
      })
      .catch(onForeignKeyViolation(false)),
})
