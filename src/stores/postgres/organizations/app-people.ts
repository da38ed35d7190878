import type {
  AppPeopleStore,
  PersonOfApp,
  SecretOfApp,
} from '../../../core/organizations/app-people.ts'
import { lastUseFor } from '../audit/last-use.ts'
import { type Columns, computed, plain, plainOf, selected } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { listIds } from '../connection/lists.ts'
import { isActive } from '../credentials/secrets.ts'
import { withUser } from './by-user.ts'
import { liveConsent } from './live.ts'

/** The grant `g` of the user `u` for the app `a` can be used. */
export const isLiveGrant = `g.ended_at is null and coalesce(g.ends_at > now(), true) and g.app_epoch = a.families_epoch
  and g.user_epoch = u.credentials_epoch and g.connection_epoch = coalesce((
    select epoch from connection_epochs where user_id = g.user_id and client_id = g.client_id
       and organization_id = g.organization_id), 0)`

const asserted = `ac.user_id = m.user_id and ac.client_id = i.client_id
  and ac.organization_id = i.organization_id and ac.install_id = i.id and a.identity_assertions`

// The consent remains when its last grant migrates to the successor of a legacy app.
const hasMoved = `(a.interface = 'legacy' and exists (
  select 1 from grants n where n.user_id = m.user_id and n.moved_from = i.client_id
     and n.organization_id = i.organization_id and n.ended_at is null))`

/** The member `m`, who is the user `u`, has access by the install `i` of the app `a`. */
export const hasAccess = `(
  exists (select 1 from consents c
    where c.install_id = i.id and c.user_id = m.user_id and ${liveConsent} and not ${hasMoved})
  or exists (select 1 from grants g where g.install_id = i.id and g.user_id = m.user_id and ${isLiveGrant})
  or exists (select 1 from asserted_connections ac where ${asserted}))`

/** Users of an install `i`, by its own rows, of whom `hasAccess` decides: few of a large organization. */
const usersOfInstall = `(
  select user_id from consents where install_id = i.id
  union select user_id from grants where install_id = i.id and ended_at is null
  union select user_id from asserted_connections
   where client_id = i.client_id and organization_id = i.organization_id and install_id = i.id)`

const theirMembers = `join members m on m.organization_id = i.organization_id and m.user_id = k.user_id
  join users u on u.id = m.user_id and u.disabled_at is null`

/** How many members have access by the install `i` of the app `a`. */
export const peopleWithAccess = `(
  select count(*)::integer from ${usersOfInstall} k ${theirMembers} where ${hasAccess})`

/** The access of the member `m` by the install `i`: when it began, was last used, and ends. */
export const accessColumns: Columns<Omit<PersonOfApp, 'userId' | 'name' | 'email'>> = {
  since: computed('coalesce(least(c.created_at, g.since, ac.created_at), i.created_at)'),
  lastUsed: computed(lastUseFor('i.id', 'm.user_id')),
  ...plainOf('c', 'expiresAt', 'idleSeconds'),
  hasConsent: computed('c.user_id is not null'),
}

/** The joins of `accessColumns`. */
export const accessJoins = `
left join consents c on c.install_id = i.id and c.user_id = m.user_id and ${liveConsent}
left join asserted_connections ac
  on ac.user_id = m.user_id and ac.client_id = i.client_id and ac.organization_id = i.organization_id
cross join lateral (
  select min(created_at) as since from grants where install_id = i.id and user_id = m.user_id
) g`

const columns: Columns<PersonOfApp> = {
  ...{ ...plainOf('m', 'userId'), ...plainOf('u', 'name', 'email') },
  ...accessColumns,
}

/** Members `m` who may have access by an install `i` of the app `a`. */
export const membersOfInstall = `installs i
  join apps a on a.client_id = i.client_id
  cross join lateral ${usersOfInstall} k
  ${theirMembers}`
export const withAccess = (organization: string, client: string) =>
  `i.organization_id = ${organization} and i.client_id = ${client} and i.ended_at is null and ${hasAccess}`

/** Those with access, by the organization and the app. */
export const listedPeople = { ...withUser, table: membersOfInstall, where: withAccess('?', '?') }

/** Those with the ids in $3, in their order. */
const peopleQuery = `
select ${selected(columns)} from ${membersOfInstall} ${accessJoins}
where ${withAccess('$1', '$2')} and m.user_id = any($3) order by array_position($3::text[], m.user_id)`

const secretColumns = selected<SecretOfApp>(plain('createdAt', 'expiresAt'))

export const createAppPeopleStore = (database: Database): AppPeopleStore => ({
  list: async ({ organizationId, clientId }, page) => {
    const install = [organizationId, clientId]
    const { ids, next } = await listIds(database, page, listedPeople, install)
    return { items: await database.rows(peopleQuery, [...install, ids], 'people_of_app'), next }
  },
  find: ({ organizationId, clientId, userId }) =>
    database.row<PersonOfApp>(peopleQuery, [organizationId, clientId, [userId]], 'people_of_app'),
  secrets: (clientId) =>
    database.rows<SecretOfApp>(
      `select ${secretColumns} from app_secrets where client_id = $1 and ${isActive}
        order by created_at, id`,
      [clientId],
    ),
})
