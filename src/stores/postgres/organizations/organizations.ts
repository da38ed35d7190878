import type { Change } from '../../../core/audit/changes.ts'
import type { ShownBrand, ShownBrandStore } from '../../../core/organizations/organization-brand.ts'
import type {
  Organization,
  OrganizationSettings,
  OrganizationStore,
} from '../../../core/organizations/organizations.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { column, computed, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { afterPlace, orderAndLimit, pageValues, placeColumn } from '../connection/paging.ts'
import { putOnly } from '../connection/put-row.ts'

const columns = selected<Organization>({
  id: column,
  name: column,
  // Not `exists`: for a list, Postgres would read and hash all sandboxes.
  sandbox: computed(
    '(select organization_id from sandboxes where organization_id = organizations.id) is not null',
  ),
  logoUri: column,
  accent: column,
  createdAt: column,
})

/**
 * Serialises changes of an organization's installs and workspaces.
 * @returns false when the organization does not exist
 */
export const lockOrganization = (tx: Queryable, id: string) =>
  tx.affects('select id from organizations where id = $1 for no key update', [id])

/** As `lockOrganization`, in the order of ids. @returns the existing ones */
export const lockOrganizations = async (tx: Queryable, ids: readonly string[]) => {
  const rows = await tx.rows<{ id: string }>(
    'select id from organizations where id = any($1) order by id for no key update',
    [[...new Set(ids)]],
  )
  return new Set(rows.map(({ id }) => id))
}

const locked = (tx: Queryable, id: string) =>
  tx.row<Organization>(`select ${columns} from organizations where id = $1 for no key update`, [id])

const write = async (
  tx: Queryable,
  current: Organization,
  { values, events }: Change<OrganizationSettings>,
): Promise<Organization> => {
  if (events.length === 0) return current
  await tx.query('update organizations set name = $2, logo_uri = $3, accent = $4 where id = $1', [
    current.id,
    values.name,
    values.logoUri,
    values.accent,
  ])
  await insertAuditEvents(tx, events)
  return { ...current, ...values }
}

export const createOrganizationStore = (
  database: Database,
): OrganizationStore & ShownBrandStore => {
  return {
    brandOf: (organizationId) =>
      database.row<ShownBrand>(
        `select accent, logo_digest as "logoDigest" from organizations
          where id = $1 and (accent is not null or logo_digest is not null)`,
        [organizationId],
        'organization_brand',
      ),

    insert: (organization, events) =>
      database.transaction(async (tx) => {
        const row = await tx.row<Organization>(
          `insert into organizations (id, name) values ($1, $2) returning ${columns}`,
          [organization.id, organization.name],
        )
        await insertAuditEvents(tx, events)
        return row!
      }),

    byId: (id) =>
      database.row<Organization>(`select ${columns} from organizations where id = $1`, [id]),

    list: (page, ids) =>
      database.page<Organization>(
        page,
        `select ${columns}, ${placeColumn('id')} from organizations
         where ${afterPlace('id')} and ($4::text[] is null or id = any($4)) ${orderAndLimit('id')}`,
        [...pageValues(page), ids],
      ),

    change: (id, decide) =>
      database.transaction(async (tx) => {
        const current = await locked(tx, id)
        return current && write(tx, current, decide(current))
      }),

    put: (id, decide) =>
      database.transaction((tx) =>
        putOnly<Organization>({
          find: () => locked(tx, id),
          insert: async () => {
            const { values, events } = decide(null)
            const row = await tx.row<Organization>(
              `insert into organizations (id, name) values ($1, $2) on conflict do nothing
               returning ${columns}`,
              [id, values.name],
            )
            if (!row) return null
            await insertAuditEvents(tx, events)
            return row
          },
          change: (current) => write(tx, current, decide(current)),
        }),
      ),

    remove: (id, admit) =>
      database.transaction(async (tx) => {
        const row = await tx.row<Organization>(
          `delete from organizations where id = $1 returning ${columns}`,
          [id],
        )
        if (!row) return false
        await insertAuditEvents(tx, admit(row))
        return true
      }),
  }
}
