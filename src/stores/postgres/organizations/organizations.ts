import type { Organization, OrganizationStore } from '../../../core/organizations/organizations.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { afterPlace, orderAndLimit, pageValues, placeColumn, toPage } from '../connection/paging.ts'

interface OrganizationRow {
  id: string
  name: string
  created_at: Date
}

const columns = 'id, name, created_at'

const toOrganization = (row: OrganizationRow): Organization => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at,
})

/**
 * Serialises changes of an organization's installs and workspaces.
 * @returns false when the organization does not exist
 */
export const lockOrganization = async (tx: Queryable, id: string) => {
  const { count } = await tx.query('select id from organizations where id = $1 for no key update', [
    id,
  ])
  return count > 0
}

export const createOrganizationStore = (database: Database): OrganizationStore => {
  const byId = async (on: Queryable, id: string) => {
    const { rows } = await on.query<OrganizationRow>(
      `select ${columns} from organizations where id = $1`,
      [id],
    )
    return rows[0] ? toOrganization(rows[0]) : null
  }

  return {
    insert: (organization, events) =>
      database.transaction(async (tx) => {
        const { rows } = await tx.query<OrganizationRow>(
          `insert into organizations (id, name) values ($1, $2) returning ${columns}`,
          [organization.id, organization.name],
        )
        await insertAuditEvents(tx, events)
        return toOrganization(rows[0]!)
      }),

    byId: (id) => byId(database, id),

    list: async (page, ids) => {
      const { rows } = await database.query<OrganizationRow & { place: string }>(
        `select ${columns}, ${placeColumn('id')} from organizations
         where ${afterPlace('id')} and ($4::text[] is null or id = any($4)) ${orderAndLimit('id')}`,
        [...pageValues(page), ids],
      )
      return toPage(rows, page, toOrganization)
    },

    rename: (id, name, events) =>
      database.transaction(async (tx) => {
        const { count } = await tx.query(
          'update organizations set name = $2 where id = $1 and name <> $2',
          [id, name],
        )
        if (count > 0) await insertAuditEvents(tx, events)
        return byId(tx, id)
      }),

    remove: (id, events) =>
      database.transaction(async (tx) => {
        const { count } = await tx.query('delete from organizations where id = $1', [id])
        if (count > 0) await insertAuditEvents(tx, events)
        return count > 0
      }),
  }
}
