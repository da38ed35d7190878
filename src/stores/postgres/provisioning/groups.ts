import type { MemberEvent } from '../../../core/provisioning/group-events.ts'
import type { GroupChange } from '../../../core/provisioning/group-patch.ts'
import type { ProvisionedGroup, ScimGroupStore } from '../../../core/provisioning/scim-groups.ts'
import type { Search } from '../../../core/provisioning/search.ts'
import { changeRows, insertAuditEvents } from '../audit/audit.ts'
import { type Columns, column, computed, named, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import type { Place } from '../organizations/places.ts'
import {
  type Attributes,
  collectValues,
  conditionOf,
  given,
  pageOf,
  pageOfFound,
  searchesIn,
  timeText,
} from './filter-condition.ts'
import { changeMembers, type GroupIds, UnknownMember } from './group-members.ts'

/** How groups of a kind are stored. */
export interface StoredKind {
  place: Place
  /** What else is read of a group g. */
  join: string
  /** The provider's own id. */
  externalId: string
  /** Writes the own id $2 of the group $1 where it is another. @param isOwn the provider makes the group */
  putExternalId(isOwn: boolean): string
  remove: ScimGroupStore['remove']
}

const changed = 'coalesce(g.changed_at, g.created_at)'

const attributesOf = ({ place: { members, key, kept }, externalId }: StoredKind): Attributes => ({
  values: {
    id: { sql: 'g.id', isExact: true },
    displayname: { sql: 'g.name' },
    externalid: { sql: externalId, isExact: true },
    'meta.created': { sql: timeText('g.created_at') },
    'meta.lastmodified': { sql: timeText(changed) },
  },
  lists: {
    members: {
      from: `(select user_id from ${members} where ${key} = g.id
        union all select user_id from scim_users where organization_id = $1 and g.id = any(${kept})) one`,
      values: { value: { sql: 'one.user_id', isExact: true } },
      eqOnly: true,
    },
  },
})

/** The condition of the groups that the filter leaves, with $1 and $2; `isWhole`: it decides each term. */
const chosenIn = (attributes: Attributes) => (search: Search | null) => {
  const { values, put } = collectValues()
  const condition = search && conditionOf(search.filter, attributes, put)
  const text = `${given}${condition ? ` and (${condition.text})` : ''}`
  return { text, values, isWhole: search === null || condition?.isWhole === true }
}

const unknownMember = (error: unknown) => {
  if (error instanceof UnknownMember) return 'unknown_member' as const
  throw error
}

/** Groups that are rows of a table. */
export const createGroups = (database: Database, kind: StoredKind): ScimGroupStore => {
  const { table, members, key, kept } = kind.place
  const columns: Columns<ProvisionedGroup> = {
    id: column,
    displayName: named('name'),
    externalId: computed(kind.externalId),
    createdAt: column,
    updatedAt: computed(changed),
  }
  const joined = `from ${table} g ${kind.join} where g.organization_id = $1`
  const groups = `select ${selected(columns, 'g')} ${joined}`
  const chosen = chosenIn(attributesOf(kind))

  const read = (on: Queryable, organizationId: string, id: string) =>
    on.row<ProvisionedGroup>(`${groups} and g.id = $2`, [organizationId, id])

  /** For what no trigger sees: users who are not active, and the provider's own id. */
  const mark = (tx: Queryable, id: string) =>
    tx.query(`update ${table} set changed_at = clock_timestamp() where id = $1`, [id])

  const putExternalId = async (
    tx: Queryable,
    id: string,
    externalId: string | null,
    isOwn: boolean,
  ) => {
    if (await tx.affects(kind.putExternalId(isOwn), [id, externalId])) await mark(tx, id)
  }

  const putMembers = async (
    tx: Queryable,
    group: GroupIds,
    change: GroupChange,
    memberEvent: MemberEvent,
  ) => {
    if (await changeMembers(tx, kind.place, group, change, memberEvent)) await mark(tx, group[1])
  }

  return {
    indexed: [],

    byId: (organizationId, id) => read(database, organizationId, id),

    ...searchesIn<ProvisionedGroup>(database, chosen, {
      page: (text) =>
        pageOf(
          `select g.id, g.created_at ${joined} and ${text}`,
          `${groups} and g.id in (${pageOfFound})`,
        ),
      some: (text) => `${groups} and ${text} order by g.created_at, g.id limit $3`,
    }),

    count: (organizationId) =>
      database.count(`${table} where organization_id = $1`, [organizationId]),

    members: (organizationId, groupIds, limit) =>
      database.rows(
        `select * from (
         select m.${key} as "groupId", m.user_id as "userId", coalesce(s.user_name, u.email) as "userName"
           from ${members} m join users u on u.id = m.user_id
           left join scim_users s on s.organization_id = $1 and s.user_id = m.user_id
          where m.${key} = any($2::text[])
         union all
         select k.id, s.user_id, s.user_name from scim_users s cross join unnest(s.${kept}) as k (id)
          where s.organization_id = $1 and k.id = any($2::text[])) known
         order by "userId" collate "C" limit $3`,
        [organizationId, groupIds, limit],
      ),

    add: (organizationId, { id, displayName, externalId }, memberIds, event, memberEvent) =>
      database
        .transaction(async (tx) => {
          const values = [id, organizationId, displayName]
          await tx.run(
            `insert into ${table} (id, organization_id, name) values ($1, $2, $3)`,
            values,
          )
          await putExternalId(tx, id, externalId, true)
          await insertAuditEvents(tx, [event])
          const change = { empties: false, add: new Set(memberIds), remove: new Set<string>() }
          await putMembers(tx, [organizationId, id], change, memberEvent)
          return (await read(tx, organizationId, id))!
        })
        .catch(unknownMember),

    change: (organizationId, id, change, renamed, memberEvent) =>
      database
        .transaction(async (tx) => {
          const isFound = await tx.affects(
            `select id from ${table} where organization_id = $1 and id = $2 for no key update`,
            [organizationId, id],
          )
          if (!isFound) return null
          if (change.displayName !== undefined) {
            await changeRows(
              tx,
              `update ${table} set name = $2 where id = $1 and name <> $2`,
              [id, change.displayName],
              [renamed],
            )
          }
          if (change.externalId !== undefined) await putExternalId(tx, id, change.externalId, false)
          await putMembers(tx, [organizationId, id], change, memberEvent)
          return read(tx, organizationId, id)
        })
        .catch(unknownMember),

    remove: kind.remove,
  }
}
