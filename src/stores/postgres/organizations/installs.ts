import type { AuditEvent } from '../../../core/audit/audit.ts'
import { nearerEnd } from '../../../core/language/access-end.ts'
import { groupedBy } from '../../../core/language/grouped.ts'
import type { InstallValues, StoredInstall } from '../../../core/organizations/install.ts'
import type { ApprovalScene, WantedApproval } from '../../../core/organizations/install-approval.ts'
import type { InstallStore } from '../../../core/organizations/installs.ts'
import { changeRows, insertAuditEvents } from '../audit/audit.ts'
import { daysOfHost } from '../client-documents/client-hosts.ts'
import { permissionsOfCatalogue } from '../clients/permission-catalogue.ts'
import { computed, plain, selected, since } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { listOfOrganization } from '../connection/lists.ts'
import { foundIn } from '../connection/search-sources.ts'
import { ownAudiences } from './audiences.ts'
import { isLiveInstall } from './live.ts'
import { standingsOf, usualEndsOf } from './organization-policies.ts'
import { lockOrganization, lockOrganizations } from './organizations.ts'
import { ownersOfWorkspaces } from './workspaces.ts'

const columns = selected<StoredInstall>({
  ...plain('id', 'organizationId', 'clientId', 'permissions', 'declinedPermissions'),
  ...plain('workspaceIds', 'audience', 'self', 'installedBy'),
  suspended: since('suspended_at'),
  ...plain('expiresAt', 'idleSeconds', 'createdAt', 'updatedAt'),
  missing: computed('missing_permissions(client_id, permissions)'),
  denied: computed(`array(select user_id from denied_people d
    where d.organization_id = installs.organization_id and d.client_id = installs.client_id order by 1)`),
})

const findLive = (on: Queryable, organizationId: string, clientId: string) =>
  on.row<StoredInstall>(
    `select ${columns} from installs
     where organization_id = $1 and client_id = $2 and ${isLiveInstall('installs')}`,
    [organizationId, clientId],
  )

const organizationsOf = (installs: readonly Pair[]) => installs.map((one) => one.organizationId)

/** Pairs of organization and app: `$1` and `$2` of a statement. */
const pairsOf = (installs: readonly Pair[]) => [
  organizationsOf(installs),
  installs.map((one) => one.clientId),
]

/** The rows of the pairs, which a unique index finds one by one. */
const ofPairs = `organization_id = any($1) and client_id = any($2)
  and (organization_id, client_id) in (select * from unnest($1::text[], $2::text[]))`

type Pair = Pick<StoredInstall, 'organizationId' | 'clientId'>

const keyOf = ({ organizationId, clientId }: Pair) => `${organizationId} ${clientId}`

/** Ends the expired installs of the pairs, so that a new approval makes a new install. */
const endExpired = async (tx: Queryable, wanted: readonly WantedApproval[]) => {
  const rows = await tx.rows<Pair>(
    `update installs set ended_at = now(), updated_at = now()
      where ${ofPairs} and ended_at is null and expires_at <= now()
     returning organization_id as "organizationId", client_id as "clientId"`,
    pairsOf(wanted),
  )
  const ended = new Set(rows.map(keyOf))
  const events = wanted.flatMap((one) => (ended.has(keyOf(one)) ? [one.expired] : []))
  await insertAuditEvents(tx, events)
}

/** Reads all data that the approvals depend on; the organizations must be locked. */
const readScenes = async (tx: Queryable, wanted: readonly WantedApproval[]) => {
  // The key share lock keeps an app from being deleted before an install refers to it.
  const apps = await tx.rows<ApprovalScene['app'] & { clientId: string; hostDays: number | null }>(
    `select client_id as "clientId", interface, permissions, ${daysOfHost('client_id')} as "hostDays",
       optional_permissions as "optionalPermissions", cut_permissions(client_id) as cut from apps where client_id = any($1)
      order by client_id for key share`,
    [[...new Set(wanted.map(({ clientId }) => clientId))]],
  )
  const requests = await tx.rows<Pair & { userId: string }>(
    `select organization_id as "organizationId", client_id as "clientId", user_id as "userId"
       from install_requests where ${ofPairs} and decided_at is null order by 1, 2, 3 for update`,
    pairsOf(wanted),
  )
  const owners = await ownersOfWorkspaces(tx, [
    ...new Set(wanted.flatMap(({ requested }) => requested)),
  ])
  const audienceOf = await ownAudiences(tx, wanted)
  const standingOf = await standingsOf(tx, wanted)
  const live = await tx.rows<StoredInstall>(
    `select ${columns} from installs where ${ofPairs} and ended_at is null`,
    pairsOf(wanted),
  )
  const usualEndOf = await usualEndsOf(tx, organizationsOf(wanted))
  const appOf = new Map(apps.map((app) => [app.clientId, app]))
  const liveOf = new Map(live.map((row) => [keyOf(row), row]))
  const requestsOf = groupedBy(requests, keyOf)
  return (one: WantedApproval): ApprovalScene | null => {
    const { organizationId } = one
    const app = appOf.get(one.clientId)
    if (!app) return null
    return {
      app,
      workspaceIds: one.requested.filter((id) => owners.get(id) === organizationId),
      audience: audienceOf(one),
      live: liveOf.get(keyOf(one)) ?? null,
      requestedBy: (requestsOf.get(keyOf(one)) ?? []).map(({ userId }) => userId),
      standing: standingOf(one),
      usualEnd: nearerEnd(usualEndOf(organizationId), app.hostDays),
    }
  }
}

interface Decided extends Pair {
  at: number
  scene: ApprovalScene
  values: InstallValues
  events: readonly AuditEvent[]
  answered: readonly string[]
}

const upsert = async (tx: Queryable, decided: readonly Decided[]): Promise<StoredInstall[]> => {
  const rows = decided.map(({ organizationId, clientId, values }) => ({
    organizationId,
    clientId,
    ...values,
  }))
  const stored = await tx.rows<StoredInstall>(
    `insert into installs
       (id, organization_id, client_id, permissions, workspace_ids, installed_by, suspended_at,
        declined_permissions, expires_at, idle_seconds, audience, self)
     select id, "organizationId", "clientId", permissions, "workspaceIds", "installedBy",
       case when suspended then now() end, "declinedPermissions", "expiresAt", "idleSeconds", audience, self
       from jsonb_to_recordset($1::jsonb) as wanted (id text, "organizationId" text, "clientId" text,
         permissions text[], "workspaceIds" text[], "installedBy" text, suspended boolean,
         "declinedPermissions" text[], "expiresAt" timestamptz, "idleSeconds" integer,
         audience jsonb, self boolean)
      order by "organizationId", "clientId"
     on conflict (organization_id, client_id) where ended_at is null
     do update set permissions = excluded.permissions, workspace_ids = excluded.workspace_ids,
       declined_permissions = excluded.declined_permissions, updated_at = now(),
       audience = excluded.audience, self = excluded.self, installed_by = excluded.installed_by,
       expires_at = excluded.expires_at, idle_seconds = excluded.idle_seconds,
       suspended_at = case when excluded.suspended_at is not null
         then coalesce(installs.suspended_at, excluded.suspended_at) end
     returning ${columns}`,
    [JSON.stringify(rows)],
  )
  const installs = new Map(stored.map((row) => [keyOf(row), row]))
  return decided.map((one) => installs.get(keyOf(one))!)
}

/** Answers the requests of the scenes only: one that was filed since then has no audit event. */
const answerRequests = async (
  tx: Queryable,
  decided: readonly Decided[],
  decidedBy: string | null,
) => {
  const answered = decided.flatMap(({ answered, ...pair }) =>
    answered.map((userId) => ({ ...pair, userId })),
  )
  if (answered.length === 0) return
  await tx.query(
    `update install_requests set decided_at = now(), decided_by = $4, decision = 'approved'
      where organization_id = any($1) and client_id = any($2) and decided_at is null
        and (organization_id, client_id, user_id)
          in (select * from unnest($1::text[], $2::text[], $3::text[]))`,
    [...pairsOf(answered), answered.map(({ userId }) => userId), decidedBy],
  )
}

const lockPermissions = async (tx: Queryable, decided: readonly Decided[]) => {
  for (const generation of ['legacy', 'current'] as const) {
    const own = decided.filter(({ scene }) => scene.app.interface === generation)
    const permissions = new Set(own.flatMap(({ values }) => values.permissions))
    await permissionsOfCatalogue(tx, generation, [...permissions])
  }
}

const endInstall = 'update installs set ended_at = now(), updated_at = now() where id = $1'

export const createInstallStore = (database: Database): InstallStore => ({
  approve: database.inTransaction(async (tx, wanted, decidedBy) => {
    const organizations = await lockOrganizations(tx, organizationsOf(wanted))
    await endExpired(tx, wanted)
    const sceneOf = await readScenes(tx, wanted)
    const installs: (StoredInstall | null)[] = wanted.map(() => null)
    const decided: Decided[] = []
    for (const [at, one] of wanted.entries()) {
      const scene = organizations.has(one.organizationId) ? sceneOf(one) : null
      const change = scene && one.decide(scene)
      if (!change) continue
      installs[at] = scene.live
      if (change.events.length > 0) decided.push({ ...one, ...change, at, scene })
    }
    if (decided.length === 0) return installs
    await lockPermissions(tx, decided)
    const stored = await upsert(tx, decided)
    for (const [index, { at }] of decided.entries()) installs[at] = stored[index] ?? null
    await answerRequests(tx, decided, decidedBy)
    const events = decided.flatMap((one) => one.events)
    await insertAuditEvents(tx, events)
    return installs
  }),

  live: (organizationId, clientId) => findLive(database, organizationId, clientId),

  list: (organizationId, page) =>
    listOfOrganization<StoredInstall>(database, organizationId, page, {
      columns,
      table: 'installs',
      where: isLiveInstall('installs'),
      orders: {
        name: '(select lower(a.name) from apps a where a.client_id = installs.client_id)',
      },
      filters: { suspended: '(suspended_at is not null) = ?::boolean' },
      search: foundIn('app', 'client_id'),
    }),

  end: database.inTransaction(async (tx, { organizationId, clientId }, admit) => {
    if (!(await lockOrganization(tx, organizationId))) return false
    const live = await findLive(tx, organizationId, clientId)
    return live !== null && changeRows(tx, endInstall, [live.id], admit(live))
  }),
})
