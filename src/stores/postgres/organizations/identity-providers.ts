import type {
  IdentityProvider,
  IdentityProviderStore,
  ProviderSettings,
} from '../../../core/organizations/identity-providers.ts'
import { changeRow, insertAuditEvents, removeRow } from '../audit/audit.ts'
import { assigned, column, insertInto, plain, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { findRow } from '../connection/lists.ts'
import { putOnly } from '../connection/put-row.ts'
import { lockOrganization } from './organizations.ts'

const settingColumns = { issuer: column, clientIds: column, jwksUri: column }
const columns = selected<IdentityProvider>({
  organizationId: column,
  ...settingColumns,
  ...plain('createdAt', 'updatedAt'),
})
const providers = { table: 'identity_providers', key: 'organization_id', columns }
const insertProvider = insertInto<ProviderSettings & { organizationId: string }>(
  'identity_providers',
  { organizationId: column, ...settingColumns },
)
const newSettings = assigned<ProviderSettings>(settingColumns, 2)

export const createIdentityProviderStore = (database: Database): IdentityProviderStore => {
  const change = async (tx: Queryable, current: IdentityProvider, values: ProviderSettings) => {
    const { organizationId } = current
    const row = await tx.row<IdentityProvider>(
      `update identity_providers set ${newSettings.text}, updated_at = now()
        where organization_id = $1 returning ${columns}`,
      [organizationId, ...newSettings.values(values)],
    )
    if (values.issuer !== current.issuer)
      await tx.query('delete from asserted_subjects where organization_id = $1', [organizationId])
    return row!
  }

  return {
    find: (organizationId) => findRow(database, providers, organizationId),

    unknownApps: (clientIds) =>
      database.values(
        `select id from unnest($1::text[]) id
          where not exists (select from apps where client_id = id)`,
        [clientIds],
      ),

    put: database.inTransaction(async (tx, organizationId, decide) => {
      if (!(await lockOrganization(tx, organizationId))) return null
      return putOnly({
        find: () => findRow(tx, providers, organizationId, 'for update'),
        insert: async () => {
          const { values, events } = decide(null)
          return changeRow(
            tx,
            `${insertProvider.text} on conflict do nothing returning ${columns}`,
            insertProvider.values({ organizationId, ...values }),
            events,
          )
        },
        change: async (current) => {
          const { values, events } = decide(current)
          if (events.length === 0) return current
          const changed = await change(tx, current, values)
          await insertAuditEvents(tx, events)
          return changed
        },
      })
    }),

    remove: (organizationId, admit) => removeRow(database, providers, organizationId, admit),
  }
}
