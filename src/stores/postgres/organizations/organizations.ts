import type { Change } from '../../../core/audit/changes.ts'
import type { ShownBrandStore } from '../../../core/organizations/organization-brand.ts'
import type {
  Organization,
  OrganizationSettings,
  OrganizationStore,
} from '../../../core/organizations/organizations.ts'
import { changeRow, removeRow, writeRow } from '../audit/audit.ts'
import { computed, plain, selected, updateRow } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { findRow, type List, listRows } from '../connection/lists.ts'
import { putOnly } from '../connection/put-row.ts'

// Not `exists`: for a list, Postgres would read and hash all sandboxes.
const isSandbox =
  '(select organization_id from sandboxes where organization_id = organizations.id) is not null'
const hasSuspendedApps = `id = any(array(
  select organization_id from installs where suspended_at is not null and ended_at is null))`

const columns = selected<Organization>({
  ...plain('id', 'name'),
  sandbox: computed(isSandbox),
  ...plain('logoUri', 'accent', 'createdAt'),
})

const organizations: List = {
  ...{ table: 'organizations', columns },
  orders: { name: 'lower(name)' },
  filters: {
    sandbox: `(${isSandbox}) = ?::boolean`,
    suspended_apps: `(${hasSuspendedApps}) = ?::boolean`,
  },
  finds: 'organization',
}

/**
 * Serialises changes of an organization's installs and workspaces.
 * @returns false when the organization does not exist
 */
export const lockOrganization = (tx: Queryable, id: string) =>
  tx.affects('select id from organizations where id = $1 for no key update', [id])

/** As `lockOrganization`, in the order of ids. @returns the existing ones */
export const lockOrganizations = async (tx: Queryable, ids: readonly string[]) => {
  const rows = await tx.values<string>(
    'select id from organizations where id = any($1) order by id for no key update',
    [[...new Set(ids)]],
  )
  return new Set(rows)
}

const insertOrganization = 'insert into organizations (id, name) values ($1, $2)'

const locked = (tx: Queryable, id: string) =>
  findRow<Organization>(tx, organizations, id, 'for no key update')

const settings = updateRow<OrganizationSettings>(organizations, plain('name', 'logoUri', 'accent'))
const write = (
  tx: Queryable,
  current: Organization,
  { values, events }: Change<OrganizationSettings>,
) => writeRow(tx, current, settings(current.id, values), events)

export const createOrganizationStore = (
  database: Database,
): OrganizationStore & ShownBrandStore => ({
  brandOf: (organizationId) =>
    database.row(
      `select accent, logo_digest as "logoDigest" from organizations
          where id = $1 and (accent is not null or logo_digest is not null)`,
      [organizationId],
      'organization_brand',
    ),

  insert: async ({ id, name }, events) =>
    (await changeRow<Organization>(
      database,
      `${insertOrganization} returning ${columns}`,
      [id, name],
      events,
    ))!,

  byId: (id) => findRow(database, organizations, id),

  list: (page, ids) =>
    listRows<Organization>(
      database,
      page,
      { ...organizations, ...(ids !== null && { where: 'id = any(?)' }) },
      [ids],
    ),

  change: database.inTransaction(async (tx, id, decide) => {
    const current = await locked(tx, id)
    return current && write(tx, current, decide(current))
  }),

  put: database.inTransaction((tx, id, decide) =>
    putOnly({
      find: () => locked(tx, id),
      insert: () => {
        const { values, events } = decide(null)
        const text = `${insertOrganization} on conflict do nothing returning ${columns}`
        return changeRow(tx, text, [id, values.name], events)
      },
      change: (current) => write(tx, current, decide(current)),
    }),
  ),

  remove: (id, admit) => removeRow(database, organizations, id, admit),
})
