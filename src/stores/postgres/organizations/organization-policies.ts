import type { UsualEnd } from '../../../core/language/access-end.ts'
import type {
  OrganizationPolicyStore,
  PolicySettings,
} from '../../../core/organizations/organization-policies.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import {
  type Columns,
  column,
  excluded,
  insertInto,
  plain,
  selected,
} from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { lockOrganization } from './organizations.ts'

const settingColumns: Columns<PolicySettings> = {
  ...plain('connect', 'defaultExpiresDays'),
  ...plain('defaultIdleDays'),
}
const columns = selected<PolicySettings>(settingColumns, 'p')
const insertPolicy = insertInto<PolicySettings & { organizationId: string }>(
  'organization_policies',
  { organizationId: column, ...settingColumns },
)

const find = async (on: Queryable, organizationId: string) => {
  const row = await on.row<{
    [Field in keyof PolicySettings]: PolicySettings[Field] | null
  }>(
    `select ${columns} from organizations o
       left join organization_policies p on p.organization_id = o.id
      where o.id = $1`,
    [organizationId],
  )
  if (!row) return undefined
  const { connect, ...days } = row
  return connect === null ? null : { connect, ...days }
}

/** The end that each organization gives to new installs. */
export const usualEndsOf = async (tx: Queryable, organizationIds: readonly string[]) => {
  const rows = await tx.rows<UsualEnd & { organizationId: string }>(
    `select organization_id as "organizationId", default_expires_days as "expiresDays",
            default_idle_days as "idleDays"
       from organization_policies where organization_id = any($1)`,
    [[...new Set(organizationIds)]],
  )
  const known = new Map(rows.map((row) => [row.organizationId, row]))
  return (organizationId: string): UsualEnd =>
    known.get(organizationId) ?? { expiresDays: null, idleDays: null }
}

export const createOrganizationPolicyStore = (database: Database): OrganizationPolicyStore => ({
  find: (organizationId) => find(database, organizationId),
  put: (organizationId, decide) =>
    database.transaction(async (tx) => {
      if (!(await lockOrganization(tx, organizationId))) return null
      const { values, events } = decide((await find(tx, organizationId)) ?? null)
      if (events.length === 0) return values
      await tx.query(
        `${insertPolicy.text} on conflict (organization_id) do update
           set ${excluded(settingColumns)}, updated_at = now()`,
        insertPolicy.values({ organizationId, ...values }),
      )
      await insertAuditEvents(tx, events)
      return values
    }),
})
