import type { Membership } from '../../../core/authorization/consent-steps.ts'
import type { ConsentKey, ConsentStore } from '../../../core/authorization/consents.ts'
import type { InstallSummary, RememberedConsent } from '../../../core/authorization/places.ts'
import { newId } from '../../../core/crypto/identifiers.ts'
import type { AccessEnd, UsualEnd } from '../../../core/language/access-end.ts'
import { changeRows, insertAuditEvents } from '../audit/audit.ts'
import { daysOfHost } from '../client-documents/client-hosts.ts'
import { type AppRow, appColumn, appJoins } from '../clients/app-columns.ts'
import { batchedRead, type InJson } from '../connection/batched-reads.ts'
import {
  type Columns,
  column,
  computed,
  excluded,
  insertInto,
  named,
  nested,
  of,
  plain,
  selected,
} from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { endConnection } from '../grants/connections.ts'
import { isLiveInstall, keptOut, liveConsent } from '../organizations/live.ts'
import { standingColumns } from '../organizations/organization-policies.ts'
import {
  asksForDevice,
  consent,
  consentColumns,
  installColumns,
  mayAsk,
  mayConnect,
} from './place-columns.ts'

const putConsent = insertInto<ConsentKey & RememberedConsent>(
  'consents',
  { ...plain('userId', 'organizationId', 'clientId'), ...consentColumns },
  `on conflict (user_id, organization_id, client_id) do update
     set ${excluded(consentColumns)}, updated_at = now()`,
)

interface MembershipRow
  extends Omit<InJson<Membership>, 'install' | 'consentEnd' | 'connectionEpoch'> {
  install: InJson<InstallSummary> | null
  consentEnd: InJson<AccessEnd> | null
}

const usualEndColumns: Columns<UsualEnd> = {
  expiresDays: named('default_expires_days'),
  idleDays: named('default_idle_days'),
}

const endColumns: Columns<InJson<AccessEnd>> = { expiresAt: column, idleSeconds: column }

const membershipColumns = selected<MembershipRow>({
  organizationId: of('o', 'id'),
  organizationName: of('o', 'name'),
  role: of('m'),
  install: nested({ ...installColumns, approvedBy: of('a', 'name') }, 'i', 'id'),
  consent,
  mayConnect: mayConnect('$2'),
  mayAsk,
  asksForDevice,
  ...standingColumns('app'),
  keptOut: keptOut('i', 'm.user_id'),
  usualEnd: nested(usualEndColumns, 'p'),
  hostDays: computed(daysOfHost('$2')),
  installExpiresAt: of('i', 'expires_at'),
  consentEnd: nested(endColumns, 'c', 'install_id'),
  requestedAt: computed('case when r.decided_at is null then r.created_at end'),
  refusedAt: computed(`case when r.decision = 'refused' then r.decided_at end`),
  refusalReason: of('r'),
  withdrawnAt: computed(`case when r.decision = 'withdrawn' then r.decided_at end`),
  expiredAt: computed(`case when r.decision = 'expired' then r.decided_at end`),
})

const expiredConsent = `
select from consents
 where user_id = $1 and organization_id = $2 and client_id = $3 and expires_at <= now()`

// A consent to another install begins anew.
const giveUsualEnd = `
update consents c
   set expires_at = now() + make_interval(days => p.default_expires_days),
       idle_seconds = p.default_idle_days * 86400
  from organizations o left join organization_policies p on p.organization_id = o.id
 where o.id = c.organization_id and c.user_id = $1 and c.organization_id = $2 and c.client_id = $3`

const dateOf = (text: string | null) => (text === null ? null : new Date(text))

const membershipOf = ({ install, consentEnd, ...row }: MembershipRow): Membership => ({
  ...row,
  install: install && { ...install, createdAt: new Date(install.createdAt) },
  installExpiresAt: dateOf(row.installExpiresAt),
  consentEnd: consentEnd && { ...consentEnd, expiresAt: dateOf(consentEnd.expiresAt) },
  requestedAt: dateOf(row.requestedAt),
  refusedAt: dateOf(row.refusedAt),
  withdrawnAt: dateOf(row.withdrawnAt),
  expiredAt: dateOf(row.expiredAt),
})

const membershipsQuery = `
select coalesce(json_agg(m order by m."organizationName", m."organizationId"), '[]') as memberships from (
  select ${membershipColumns}
  from members m
  join organizations o on o.id = m.organization_id
  left join organization_policies p on p.organization_id = o.id
  left join installs i
    on i.organization_id = o.id and i.client_id = $2 and ${isLiveInstall('i')}
  left join apps app on app.client_id = $2
  left join users a on a.id = i.installed_by
  left join consents c
    on c.user_id = m.user_id and c.organization_id = o.id and c.client_id = $2
   and ${liveConsent}
  left join lateral (
    select created_at, decided_at, decision, refusal_reason from install_requests
     where user_id = m.user_id and organization_id = o.id and client_id = $2
     order by created_at desc limit 1
  ) r on true
  where m.user_id = $1
) m`

export const createConsentStore = (database: Database): ConsentStore => {
  const readApp = batchedRead<AppRow>(
    database,
    `select ${appColumn} from apps a ${appJoins} where a.client_id = $1`,
    ['text'],
    'find_app',
  )
  const readMemberships = batchedRead<{ memberships: MembershipRow[] }>(
    database,
    membershipsQuery,
    ['text', 'text'],
    'memberships',
  )

  return {
    findApp: async (clientId) => (await readApp([clientId]))?.app ?? null,
    memberships: async (userId, clientId) => {
      const row = await readMemberships([userId, clientId])
      return (row?.memberships ?? []).map(membershipOf)
    },
    // A subquery without a reference to `w` is hashed. A join might compare each workspace with each membership, as long
    // as the statistics are those of a smaller organization.
    workspaces: (organizationId, userId) =>
      database.rows(
        `select w.id, w.name,
           w.id in (select workspace_id from workspace_members where user_id = $2) as "isMember"
         from workspaces w
        where w.organization_id = $1
        order by w.name, w.id`,
        [organizationId, userId],
        'workspaces_of',
      ),
    adminNames: (organizationId) =>
      database.values(
        `select u.name from members m join users u on u.id = m.user_id
        where m.organization_id = $1 and m.role = 'admin' and u.disabled_at is null
        order by u.name limit 6`,
        [organizationId],
      ),
    cutPermissions: async (clientId) =>
      (await database.value<string[]>('select cut_permissions($1)', [clientId])) ?? [],
    remember: database.inTransaction(async (tx, key, after, { granted, expired }) => {
      const { userId, organizationId, clientId } = key
      // The first answer has no row to lock, so a concurrent answer waits for the membership's lock.
      await tx.query(
        'select from members where organization_id = $1 and user_id = $2 for no key update',
        [organizationId, userId],
      )
      // An expired consent ends for good with its grants; a new one must not revive them.
      const isOver = await tx.affects(expiredConsent, [userId, organizationId, clientId])
      if (isOver) await endConnection(tx, { ...key, audit: expired })
      const before = await tx.row<RememberedConsent>(
        `select ${selected(consentColumns)} from consents c
          where c.user_id = $1 and c.organization_id = $2 and c.client_id = $3`,
        [userId, organizationId, clientId],
      )
      const answered = after(before)
      await tx.query(...putConsent({ ...key, ...answered }))
      if (before?.installId !== answered.installId)
        await tx.query(giveUsualEnd, [userId, organizationId, clientId])
      await insertAuditEvents(tx, [granted])
    }),
    fileInstallRequest: async (request, audit) => {
      const { organizationId, clientId, userId, permissions, reason } = request
      await changeRows(
        database,
        `insert into install_requests (id, organization_id, client_id, user_id, permissions, reason)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (organization_id, client_id, user_id) where decided_at is null do nothing`,
        [newId('installRequest'), organizationId, clientId, userId, permissions, reason],
        [audit],
      )
    },
  }
}
