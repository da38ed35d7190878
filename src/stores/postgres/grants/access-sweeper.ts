import type {
  AccessSweepStore,
  OverConsent,
  OverInstall,
} from '../../../core/grants/access-sweeper.ts'
import type { ConnectionKey } from '../../../core/grants/connections.ts'
import { changeRows, insertAuditEvents } from '../audit/audit.ts'
import type { Database } from '../connection/database.ts'
import { lockOrganization } from '../organizations/organizations.ts'
import { endConnection } from './connections.ts'

const batch = 200
/** Seconds by which a recorded use may be late: uses are recorded to the minute, and written some seconds later. */
const lateness = 90

const unusedSince = (row: string) =>
  `now() - make_interval(secs => ${row}.idle_seconds + ${lateness})`

const expired = (row: string) => `${row}.expires_at <= now()`

const installUnused = `(greatest(i.created_at, i.last_used_at) < ${unusedSince('i')}
  and not exists (select from grants
    where install_id = i.id and greatest(created_at, last_used_at) >= ${unusedSince('i')}))`

const consentUnused = `(greatest(c.updated_at, c.last_used_at) < ${unusedSince('c')}
  and not exists (select from grants
    where user_id = c.user_id and install_id = c.install_id
      and greatest(created_at, last_used_at) >= ${unusedSince('c')}))`

const installColumns = `i.id, i.organization_id as "organizationId", i.client_id as "clientId"`
const consentColumns = `c.user_id as "userId", c.organization_id as "organizationId",
  c.client_id as "clientId"`

const expiredInstalls = `
select ${installColumns}, 'expired' as reason from installs i
 where i.ended_at is null and ${expired('i')} order by i.expires_at limit ${batch}`

const idleInstalls = `
select ${installColumns}, ${installUnused} as over from installs i
 where i.ended_at is null and i.idle_seconds is not null and i.id > $1 order by i.id limit ${batch}`

const endInstall = `
update installs i set ended_at = now(), updated_at = now()
 where i.id = $1 and i.ended_at is null
   and (${expired('i')} or (i.idle_seconds is not null and ${installUnused}))`

const expiredConsents = `
select ${consentColumns}, 'expired' as reason from consents c
 where ${expired('c')} order by c.expires_at limit ${batch}`

const idleConsents = `
select ${consentColumns}, ${consentUnused} as over from consents c
 where c.idle_seconds is not null and (c.user_id, c.organization_id, c.client_id) > ($1, $2, $3)
 order by c.user_id, c.organization_id, c.client_id limit ${batch}`

const lockOverConsent = `
select from consents c
 where c.user_id = $1 and c.organization_id = $2 and c.client_id = $3
   and (${expired('c')} or (c.idle_seconds is not null and ${consentUnused}))
   for update`

const waiting = `organization_id as "organizationId", client_id as "clientId", user_id as "userId"`

const ofWaiting = (condition: string) => `
 where id = any(array(
   select id from install_requests
    where decided_at is null and decision is null and created_at < now() - make_interval(days => $1) and ${condition}
    order by created_at, id limit ${batch} for update skip locked))
returning ${waiting}`

const remindOfRequests = `update install_requests set reminded_at = now() ${ofWaiting('reminded_at is null')}`
const expireRequests = `
update install_requests set decided_at = now(), decision = 'expired' ${ofWaiting('true')}`

type Examined<Over> = Omit<Over, 'reason'> & { over: boolean }

/** Of the examined rows, those that are over. */
const unusedOf = <Over>(rows: readonly Examined<Over>[]) =>
  rows.flatMap(({ over, ...one }) => (over ? [{ ...one, reason: 'unused' as const }] : []))

export const createAccessSweepStore = (database: Database): AccessSweepStore => {
  // Idle rows are examined in turns, a batch per call.
  let afterInstall = ''
  let afterConsent = ['', '', '']

  const unusedInstalls = async (): Promise<OverInstall[]> => {
    const values = [afterInstall]
    const rows = await database.rows<Examined<OverInstall>>(idleInstalls, values, 'idle_installs')
    afterInstall = rows.length === batch ? (rows.at(-1)?.id ?? '') : ''
    return unusedOf(rows)
  }

  const unusedConsents = async (): Promise<OverConsent[]> => {
    const values = afterConsent
    const rows = await database.rows<Examined<OverConsent>>(idleConsents, values, 'idle_consents')
    const last = rows.length === batch ? rows.at(-1) : undefined
    afterConsent = last ? [last.userId, last.organizationId, last.clientId] : ['', '', '']
    return unusedOf(rows)
  }

  const onRequests = (statement: string): AccessSweepStore['remind'] =>
    database.inTransaction(async (tx, days, eventsOf) => {
      const rows = await tx.rows<ConnectionKey>(statement, [days])
      await insertAuditEvents(tx, eventsOf(rows))
      return rows.length
    })

  return {
    overInstalls: async () => {
      const rows = await database.rows<OverInstall>(expiredInstalls, [], 'expired_installs')
      return [...rows, ...(await unusedInstalls())]
    },
    endInstall: database.inTransaction(async (tx, { id, organizationId }, event) => {
      if (!(await lockOrganization(tx, organizationId))) return false
      return changeRows(tx, endInstall, [id], [event])
    }),
    overConsents: async () => {
      const rows = await database.rows<OverConsent>(expiredConsents, [], 'expired_consents')
      return [...rows, ...(await unusedConsents())]
    },
    endConsent: database.inTransaction(async (tx, { userId, organizationId, clientId }, audit) => {
      const isOver = await tx.affects(lockOverConsent, [userId, organizationId, clientId])
      return isOver ? endConnection(tx, { userId, clientId, organizationId, audit }) : null
    }),
    remind: onRequests(remindOfRequests),
    expireRequests: onRequests(expireRequests),
  }
}
