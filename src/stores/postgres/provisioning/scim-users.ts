import type {
  AddRefusal,
  LockedUser,
  ProvisionedUser,
  ScimUserStore,
  UserChange,
} from '../../../core/provisioning/scim-users.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { type Database, onUniqueViolation, type Queryable } from '../connection/database.ts'
import { deleteMembership, insertMember } from '../organizations/members.ts'
import { returnToPlaces } from '../organizations/places.ts'
import { isEmailVerified, standingColumns } from '../people/people.ts'
import { pageOf, pageOfFound, searchesIn } from './filter-condition.ts'
import { chosen, everyone, read, usersIn, withKey } from './scim-user-search.ts'

/** The account with this address, locked; it is made if there is none. */
const accountFor = async (
  tx: Queryable,
  organizationId: string,
  user: Pick<ProvisionedUser, 'id' | 'email' | 'name' | 'locale'> & { onlyOwn: boolean },
): Promise<{ id: string; isNew: boolean } | AddRefusal> => {
  const isNew = await tx.affects(
    `insert into users (id, email, name, locale, provisioned_by) values ($1, $2, $3, $4, $5)
     on conflict (lower(email)) do nothing`,
    [user.id, user.email, user.name, user.locale, organizationId],
  )
  if (isNew) return { id: user.id, isNew }
  const known = await tx.row<{ id: string; may_join: boolean; email_verified: boolean }>(
    `select id, coalesce(provisioned_by = $2, false) as may_join, ${isEmailVerified} as email_verified
       from users where lower(email) = lower($1) for no key update`,
    [user.email, organizationId],
  )
  if (!known) return 'exists' // Its address has changed meanwhile.
  if (await read(tx, organizationId, known.id)) return 'exists'
  const mayJoin = known.may_join || (known.email_verified && !user.onlyOwn)
  return mayJoin ? { id: known.id, isNew: false } : 'unverified'
}

const addUser = async (
  tx: Queryable,
  [organizationId, user, eventsOf]: Parameters<ScimUserStore['add']>,
) => {
  const account = await accountFor(tx, organizationId, user)
  if (typeof account === 'string') return account
  await tx.query(
    `insert into scim_users (organization_id, user_id, user_name, external_id, attributes)
     values ($1, $2, $3, $4, $5)`,
    [organizationId, account.id, user.userName, user.externalId, JSON.stringify(user.attributes)],
  )
  if (user.joins) await tx.run(insertMember, [organizationId, account.id, 'member'])
  await insertAuditEvents(tx, eventsOf(account.id, account.isNew))
  return (await read(tx, organizationId, account.id))!
}

const locked = async (tx: Queryable, organizationId: string, id: string) => {
  await tx.query('select from users where id = $1 for no key update', [id])
  // A statement of its own after the lock sees an operator who was made meanwhile.
  const row = await tx.row<Omit<LockedUser, keyof ProvisionedUser>>(
    `select ${standingColumns('u.id')}, coalesce(u.provisioned_by = $2, false)
        and not exists (select 1 from members where user_id = u.id and organization_id <> $2)
        and not exists (select 1 from scim_users where user_id = u.id and organization_id <> $2) as "isOwn",
        u.password_hash is not null or exists (select 1 from passkeys where user_id = u.id)
         or exists (select 1 from user_identities where user_id = u.id) as "canSignIn"
       from users u where u.id = $1`,
    [id, organizationId],
  )
  const user = row && (await read(tx, organizationId, id))
  return row && user ? { ...user, ...row } : null
}

/** Removes the membership, and keeps the workspaces and groups for the return. */
const leave = async (tx: Queryable, organizationId: string, id: string, keepsRole: boolean) => {
  const { member, workspaceIds, groupIds } = await deleteMembership(tx, organizationId, id)
  await tx.query(
    `update scim_users set kept_role = $3, kept_workspaces = $4, kept_groups = $5
      where organization_id = $1 and user_id = $2`,
    [organizationId, id, keepsRole ? (member?.role ?? null) : null, workspaceIds, groupIds],
  )
}

const join = async (tx: Queryable, organizationId: string, id: string) => {
  await tx.query(
    `insert into members (organization_id, user_id, role)
     select organization_id, user_id, coalesce(kept_role, 'member') from scim_users
      where organization_id = $1 and user_id = $2
     on conflict (organization_id, user_id) do nothing`,
    [organizationId, id],
  )
  await returnToPlaces(tx, [organizationId, id])
}

const write = async (
  tx: Queryable,
  organizationId: string,
  { id, locale }: ProvisionedUser,
  change: UserChange,
) => {
  await tx.query(
    `insert into scim_users (organization_id, user_id, user_name, external_id, attributes, created_at)
     values ($1, $2, $3, $4, $5, coalesce((select created_at from members where organization_id = $1 and user_id = $2), now()))
     on conflict (organization_id, user_id) do update
       set user_name = $3, external_id = $4, attributes = $5, updated_at = now()
     where $6::boolean or (scim_users.user_name, scim_users.external_id, scim_users.attributes)
       is distinct from (excluded.user_name, excluded.external_id, excluded.attributes)`,
    [
      organizationId,
      id,
      change.userName,
      change.externalId,
      JSON.stringify(change.attributes),
      change.membership !== null,
    ],
  )
  if (change.email !== null || change.name !== null || change.locale !== locale)
    await tx.query(
      `update users set email = coalesce($2, email), name = coalesce($3, name), locale = $4,
         verified_email = case when $2::text is null then verified_email end
       where id = $1`,
      [id, change.email, change.name, change.locale],
    )
  if (change.membership === 'leave') await leave(tx, organizationId, id, change.keepsRole)
  if (change.membership === 'join') await join(tx, organizationId, id)
  await insertAuditEvents(tx, change.events)
}

const orExists = onUniqueViolation('exists')

export const createScimUserStore = (database: Database): ScimUserStore => ({
  indexed: Object.keys(withKey),

  byId: (organizationId, id) => read(database, organizationId, id),

  ...searchesIn<ProvisionedUser>(database, chosen, {
    page: (text) => pageOf(text, usersIn(pageOfFound)),
    some: (text) => `${usersIn(`select id from (${text}) chosen (id, since)`)} limit $3`,
  }),

  count: (organizationId) => database.count(`(${everyone}) known`, [organizationId]),

  add: (...given) => database.transaction((tx) => addUser(tx, given)).catch(orExists),

  change: (organizationId, id, decide) =>
    database
      .transaction(async (tx) => {
        const user = await locked(tx, organizationId, id)
        if (!user) return null
        await write(tx, organizationId, user, decide(user))
        return read(tx, organizationId, id)
      })
      .catch(orExists),

  remove: database.inTransaction(async (tx, organizationId, id, events) => {
    if (!(await locked(tx, organizationId, id))) return false
    await deleteMembership(tx, organizationId, id)
    const text = 'delete from scim_users where organization_id = $1 and user_id = $2'
    await tx.query(text, [organizationId, id])
    await insertAuditEvents(tx, events)
    return true
  }),
})
