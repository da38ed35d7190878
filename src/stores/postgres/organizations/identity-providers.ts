import type {
  IdentityProvider,
  IdentityProviderStore,
} from '../../../core/organizations/identity-providers.ts'
import { changeRow, removeRow, writeRow } from '../audit/audit.ts'
import { insertInto, plain, selected, updateRow } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { findRow } from '../connection/lists.ts'
import { putOnly } from '../connection/put-row.ts'
import { lockOrganization } from './organizations.ts'

const given = plain('organizationId', 'issuer', 'clientIds', 'jwksUri')
const columns = selected<IdentityProvider>({ ...given, ...plain('createdAt', 'updatedAt') })
const providers = { table: 'identity_providers', key: 'organization_id', columns }
const insertProvider = insertInto<Omit<IdentityProvider, 'createdAt' | 'updatedAt'>>(
  'identity_providers',
  given,
  `on conflict do nothing returning ${columns}`,
)
const { organizationId: _, ...settings } = given
const changeProvider = updateRow(providers, settings, 'updated_at = now()')

export const createIdentityProviderStore = (database: Database): IdentityProviderStore => ({
  find: (organizationId) => findRow(database, providers, organizationId),

  unknownApps: (clientIds) =>
    database.values(
      `select id from unnest($1::text[]) id
        where not exists (select from apps where client_id = id)`,
      [clientIds],
    ),

  put: database.inTransaction(async (tx, organizationId, decide) => {
    if (!(await lockOrganization(tx, organizationId))) return null
    return putOnly<IdentityProvider>({
      find: () => findRow(tx, providers, organizationId, 'for update'),
      insert: () => {
        const { values, events } = decide(null)
        return changeRow(tx, ...insertProvider({ organizationId, ...values }), events)
      },
      change: async (current) => {
        const { values, events } = decide(current)
        if (values.issuer !== current.issuer)
          await tx.run('delete from asserted_subjects where organization_id = $1', [organizationId])
        return writeRow(tx, current, changeProvider(organizationId, values), events)
      },
    })
  }),

  remove: (organizationId, admit) => removeRow(database, providers, organizationId, admit),
})
