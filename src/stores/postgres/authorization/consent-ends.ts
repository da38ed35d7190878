import type { ConsentEndStore, StoredConsent } from '../../../core/authorization/consent-ends.ts'
import type { ConsentKey } from '../../../core/authorization/consents.ts'
import { changeRows } from '../audit/audit.ts'
import { plain, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { isLiveInstall, liveConsent } from '../organizations/live.ts'

const columns = selected<StoredConsent>(
  {
    ...plain('userId', 'organizationId', 'clientId', 'permissions', 'workspaceIds', 'expiresAt'),
    ...plain('idleSeconds', 'createdAt'),
  },
  'c',
)

const query = `
select ${columns} from consents c
  join installs i on i.id = c.install_id and ${isLiveInstall('i')}
 where c.user_id = $1 and c.organization_id = $2 and c.client_id = $3 and ${liveConsent}`

const update = `
update consents c set expires_at = $4, idle_seconds = $5
 where c.user_id = $1 and c.organization_id = $2 and c.client_id = $3`

const valuesOf = (key: ConsentKey) => [key.userId, key.organizationId, key.clientId]

const find = (on: Queryable, key: ConsentKey, lock = '') =>
  on.row<StoredConsent>(`${query} ${lock}`, valuesOf(key))

export const createConsentEndStore = (database: Database): ConsentEndStore => ({
  find: (key) => find(database, key),
  change: database.inTransaction(async (tx, key, decide) => {
    const current = await find(tx, key, 'for update of c')
    if (!current) return null
    const { values, events } = decide(current)
    if (events.length === 0) return current
    const given = [...valuesOf(key), values.expiresAt, values.idleSeconds]
    await changeRows(tx, update, given, events)
    return { ...current, ...values }
  }),
})
