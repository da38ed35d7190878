import type { UsualEnd } from '../../../core/language/access-end.ts'
import type { InstallKey } from '../../../core/organizations/install.ts'
import type { WantedApproval } from '../../../core/organizations/install-approval.ts'
import type {
  OrganizationPolicyStore,
  PolicySettings,
  PolicyStanding,
} from '../../../core/organizations/organization-policies.ts'
import { changeRows } from '../audit/audit.ts'
import {
  type Columns,
  computed,
  excluded,
  insertInto,
  plain,
  selected,
} from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'

const settingColumns: Columns<PolicySettings> = {
  ...plain('connect', 'defaultExpiresDays'),
  ...plain('defaultIdleDays', 'selfInstall', 'deviceFlow', 'publicApps', 'aiClients'),
}
const columns = selected<PolicySettings>(settingColumns, 'p')
const putPolicy = insertInto<PolicySettings & { organizationId: string }>(
  'organization_policies',
  { ...plain('organizationId'), ...settingColumns },
  `on conflict (organization_id) do update set ${excluded(settingColumns)}, updated_at = now(),
     device_flow_since = case when organization_policies.device_flow = excluded.device_flow
       then organization_policies.device_flow_since else now() end`,
)

const find = async (on: Queryable, organizationId: string) => {
  const row = await on.row<PolicySettings & { connect: PolicySettings['connect'] | null }>(
    `select ${columns} from organizations o
       left join organization_policies p on p.organization_id = o.id
      where o.id = $1`,
    [organizationId],
  )
  return row && row.connect === null ? null : (row ?? undefined)
}

/** What the policy `p` says about the app and the member `m`. @param app the alias of the app */
export const standingColumns = (app: string) =>
  ({
    rule: computed(`rule_for(p, ${app}, false)`),
    deviceRule: computed(`rule_for(p, ${app}, true)`),
    maySelfInstall: computed(
      `coalesce(p.self_install <> 'never' and may_self_install(p, ${app}, m.user_id), false)`,
    ),
  }) satisfies Columns<PolicyStanding>

const standingQuery = `
select ${selected(standingColumns('a'))}, m.user_id as person, m.organization_id as "organizationId",
  a.client_id as "clientId"
from unnest($1::text[], $2::text[], $3::text[]) as wanted (organization_id, client_id, user_id)
join members m using (organization_id, user_id)
join apps a on a.client_id = wanted.client_id
left join organization_policies p on p.organization_id = m.organization_id`

/** What the policies say about those who install apps for themselves. */
export const standingsOf = async (tx: Queryable, wanted: readonly WantedApproval[]) => {
  const own = wanted.filter(({ person }) => person !== undefined)
  const rows =
    own.length === 0
      ? []
      : await tx.rows<PolicyStanding & Pick<WantedApproval, 'person' | keyof InstallKey>>(
          standingQuery,
          [
            own.map(({ organizationId }) => organizationId),
            own.map(({ clientId }) => clientId),
            own.map(({ person }) => person),
          ],
        )
  return ({ organizationId, clientId, person }: WantedApproval): PolicyStanding | null =>
    rows.find(
      (row) =>
        row.organizationId === organizationId && row.clientId === clientId && row.person === person,
    ) ?? null
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
  put: database.inTransaction(async (tx, organizationId, decide) => {
    // Stronger than `lockOrganization`, because grants and installs that are being made must wait (migration 0084).
    if (!(await tx.affects('select from organizations where id = $1 for update', [organizationId])))
      return null
    const { values, events } = decide((await find(tx, organizationId)) ?? null)
    if (events.length === 0) return values
    await changeRows(tx, ...putPolicy({ organizationId, ...values }), events)
    return values
  }),
})
