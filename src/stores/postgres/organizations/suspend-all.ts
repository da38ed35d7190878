import type { SuspendAllStore, SwitchedInstall } from '../../../core/organizations/suspend-all.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import type { Database } from '../connection/database.ts'
import { lockOrganization } from './organizations.ts'

const suspend = `
update installs set suspended_at = now(), suspended_all_at = now(), updated_at = now()
 where organization_id = $1 and ended_at is null and suspended_at is null
returning id as "installId", client_id as "clientId"`

const resume = `
update installs set suspended_at = null, suspended_all_at = null, updated_at = now()
 where organization_id = $1 and ended_at is null and suspended_at = suspended_all_at
returning id as "installId", client_id as "clientId"`

export const createSuspendAllStore = (database: Database): SuspendAllStore => ({
  switchAll: database.inTransaction(async (tx, organizationId, suspended, eventsOf) => {
    if (!(await lockOrganization(tx, organizationId))) return null
    const rows = await tx.rows<SwitchedInstall>(suspended ? suspend : resume, [organizationId])
    await insertAuditEvents(tx, eventsOf(rows))
    return rows
  }),

  counts: (organizationId) =>
    database.one(
      `select count(*) filter (where suspended_at is null)::integer as active,
              count(*) filter (where suspended_at = suspended_all_at)::integer as "suspendedTogether"
         from installs where organization_id = $1 and ended_at is null`,
      [organizationId],
    ),
})
