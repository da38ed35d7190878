// Places within an organization, whose members are members of the organization.
import type { Queryable } from '../connection/database.ts'

export interface Place {
  table: string
  members: string
  /** The column of the place in `members`. */
  key: string
  /** The column of `scim_users` in which inactive users keep them for the return. */
  kept: string
}

export const places = {
  workspaces: {
    table: 'workspaces',
    members: 'workspace_members',
    key: 'workspace_id',
    kept: 'kept_workspaces',
  },
  groups: {
    table: 'directory_groups',
    members: 'directory_group_members',
    key: 'group_id',
    kept: 'kept_groups',
  },
} as const satisfies Record<string, Place>

/** @returns the ids of the places that the user has left */
export const leavePlaces = (
  tx: Queryable,
  { table, members, key }: Place,
  member: [organizationId: string, userId: string],
) =>
  // "is true" keeps the subquery apart, so that it is hashed, and no join compares each place with each membership.
  tx.values<string>(
    `delete from ${members} where user_id = $2 and (${key} in
       (select id from ${table} where organization_id = $1)) is true returning ${key}`,
    member,
  )

/** Adds the user to the kept places that still exist, and locks these, so that none is deleted meanwhile. */
const returnToPlace = (
  tx: Queryable,
  { table, members, key, kept }: Place,
  member: [organizationId: string, userId: string],
) =>
  // Finds each place by its id: "is not distinct from" uses no index.
  tx.query(
    `insert into ${members} (${key}, user_id)
     select p.id, s.user_id from scim_users s
       join ${table} p on p.id = any(s.${kept}) and p.organization_id is not distinct from s.organization_id
      where s.organization_id = $1 and s.user_id = $2 for key share of p
     on conflict (user_id, ${key}) do nothing`,
    member,
  )

/** The kept places of a member are theirs again: their provider has not taken them away. */
export const returnToPlaces = async (
  tx: Queryable,
  member: [organizationId: string, userId: string],
) => {
  for (const place of Object.values(places)) await returnToPlace(tx, place, member)
  await tx.query(
    `update scim_users set kept_role = null, kept_workspaces = '{}', kept_groups = '{}'
      where organization_id = $1 and user_id = $2`,
    member,
  )
}
