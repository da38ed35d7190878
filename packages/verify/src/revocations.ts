import type { Change, ChangeType, FeedAnswer } from './changes.ts'
import type { Claims } from './claims.ts'
import type { TokenFault } from './errors.ts'
import { entriesOf, intersect } from './rules/permissions.ts'

type Table = { [Type in ChangeType]: Map<string, Change & { type: Type }> }

const emptyTable = (): Table => ({
  grant: new Map(),
  token: new Map(),
  workspace: new Map(),
  organization: new Map(),
  key_set: new Map(),
  install: new Map(),
  app: new Map(),
  user: new Map(),
  member: new Map(),
  workspace_member: new Map(),
  install_member: new Map(),
  connection: new Map(),
})

const pair = (id: string, userId: string) => `${id} ${userId}`

const connection = (id: string, userId: string, clientId: string) =>
  pair(pair(id, userId), clientId)

const keyOf = (change: Change) => {
  if (change.type === 'connection') return connection(change.id, change.userId, change.clientId)
  return 'userId' in change ? pair(change.id, change.userId) : change.id
}

const put = (table: Table, change: Change) => {
  const key = keyOf(change)
  const map = table[change.type] as Map<string, Change>
  map.set(key, change)
}

const isOut = (map: ReadonlyMap<string, Change>, id: string | null) =>
  id !== null && map.get(id)?.active === false

const isAppOut = (table: Table, { clientId, appEpoch }: Pick<Claims, 'clientId' | 'appEpoch'>) => {
  const app = table.app.get(clientId)
  return app !== undefined && (!app.active || appEpoch < app.epoch)
}

/** True when the user is outside the audience of the install, or of that of an actor. */
const isOutside = ({ install_member: outside }: Table, claims: Claims, userId: string) =>
  outside.size > 0 &&
  [claims, ...claims.actors].some(
    ({ installId }) => installId !== null && isOut(outside, pair(installId, userId)),
  )

/** The reason to refuse a token after the known changes; null when there is none. */
const refusalIn = (table: Table, claims: Claims): TokenFault | null => {
  const { organizationId, userId, actors } = claims
  const isRevoked =
    isOut(table.token, claims.tokenId) ||
    actors.some(({ subjectTokenId }) => isOut(table.token, subjectTokenId))
  if (isOut(table.organization, organizationId)) return 'organization_inactive'
  if (isRevoked) return 'token_revoked'
  if (isOut(table.grant, claims.grantId)) return 'grant_revoked'
  for (const { installId } of [claims, ...actors])
    if (isOut(table.install, installId)) return 'install_inactive'
  for (const one of [claims, ...actors]) if (isAppOut(table, one)) return 'app_inactive'
  if (userId === null) return null
  const user = table.user.get(userId)
  if (user && (!user.active || claims.userEpoch < user.epoch)) return 'user_inactive'
  if (isOut(table.member, pair(organizationId, userId))) return 'not_a_member'
  if (isOutside(table, claims, userId)) return 'not_in_audience'
  const ended =
    table.connection.size > 0 &&
    table.connection.get(connection(organizationId, userId, claims.clientId))
  return ended && claims.connectionEpoch < ended.epoch ? 'grant_revoked' : null
}

/** An exchanged token stays within what each of its apps may do. */
const permissionsIn = (table: Table, { permissions, clientId, installId, actors }: Claims) => {
  const limits: string[][] = []
  for (const one of [{ clientId, installId }, ...actors]) {
    const app = table.app.get(one.clientId)
    const install = one.installId === null ? undefined : table.install.get(one.installId)
    if (app) limits.push(app.permissions)
    if (install) limits.push(install.permissions)
  }
  return limits.length === 0 ? permissions : intersect(permissions, ...limits)
}

/** Was it deleted, or is it another one with its id? A token without a time of issue was verified by the server. */
const isGone = (workspace: Change & { type: 'workspace' }, issuedAt: number | null) =>
  !workspace.active || (issuedAt !== null && issuedAt < workspace.since)

/** Tells whether a workspace was deleted, or its member removed. A long list of workspaces is not searched one by one. */
const lostBy = (table: Table, { userId, issuedAt }: Claims, count: number) => {
  const { workspace, workspace_member: member } = table
  if (count < workspace.size + member.size)
    return (id: string) => {
      const known = workspace.get(id)
      const isLost = known !== undefined && isGone(known, issuedAt)
      return isLost || (userId !== null && isOut(member, pair(id, userId)))
    }
  const lost = new Set<string>()
  for (const one of workspace.values()) if (isGone(one, issuedAt)) lost.add(one.id)
  for (const { id, active, userId: who } of member.values())
    if (!active && who === userId) lost.add(id)
  return lost.size === 0 ? null : (id: string) => lost.has(id)
}

const workspacesIn = (table: Table, claims: Claims) => {
  const { workspaceIds, actors } = claims
  if (workspaceIds === null) return null
  const limits = [claims, ...actors].flatMap(({ installId }) => {
    const limit = table.install.get(installId ?? '')?.workspaceIds ?? null
    return limit === null ? [] : [entriesOf(limit)]
  })
  const isLost = lostBy(table, claims, workspaceIds.length)
  if (limits.length === 0 && isLost === null) return workspaceIds
  return workspaceIds.filter(
    (id) => limits.every((isWithin) => isWithin(id)) && isLost?.(id) !== true,
  )
}

/** A clock that is set back by more than this many seconds had been ahead. Smaller steps are its precision. */
const setBack = 1

/**
 * Revocations and narrowed rights since tokens were issued, from the feed.
 * @param keepFor seconds for which an entry is kept after its `until`, because tokens are accepted for the clock
 * tolerance after their expiry
 * @param ticks milliseconds of a monotonic clock
 */
export const createRevocations = (keepFor: number, ticks: () => number) => {
  let known = emptyTable()
  // A new state that arrives in several answers is used only when it is complete. Until then the old one applies.
  let staged: Table | null = null
  /** The organizations that the feed is about; null: all. */
  let served: ReadonlySet<string> | null = null
  let version = 0
  let prunedAt = 0
  let isDoubtful = false
  /** The smallest difference in seconds between the time and the ticks. */
  let lead = Number.POSITIVE_INFINITY

  /** The time, corrected for a clock that is temporarily ahead. */
  const surely = (at: number) => {
    const passed = ticks() / 1000
    // The clock was ahead, so too many entries may have been dropped.
    if (lead < Number.POSITIVE_INFINITY && lead - (at - passed) > setBack) isDoubtful = true
    lead = Math.min(lead, at - passed)
    return passed + lead
  }

  /** Drops entries that can no longer affect a token, once a minute. */
  const prune = (at: number) => {
    if (Math.abs(at - prunedAt) < 60) return
    prunedAt = at
    for (const map of Object.values(known) as Map<string, Change>[])
      for (const [key, { until }] of map) if (until + keepFor < at) map.delete(key)
  }

  return {
    /** Increases with every change, so that a verdict is valid while the version is the same. */
    version: () => version,

    /** True when relevant entries may have been dropped. Then the whole state must be read again. */
    isDoubtful: () => isDoubtful,

    /**
     * Applies one answer.
     * @param at seconds since 1970
     * @returns true when the state is complete
     */
    apply: ({ reset, more, changes, organizationIds }: FeedAnswer, at: number): boolean => {
      prune(surely(at))
      if (reset) {
        staged = emptyTable()
        isDoubtful = false
      }
      const table = staged ?? known
      for (const change of changes) put(table, change)
      if (staged && !more) {
        known = staged
        staged = null
        served = organizationIds && new Set(organizationIds)
        version++
      } else if (!staged && changes.length > 0) version++
      return !more
    },

    /**
     * Applies all changes to a token.
     * @returns the narrowed claims, or the reason for a refusal
     */
    judge: (claims: Claims): Claims | TokenFault => {
      // Revocations of other organizations are not in the feed.
      if (served && !served.has(claims.organizationId)) return 'organization_not_served'
      const refusal = refusalIn(known, claims)
      if (refusal) return refusal
      const permissions = permissionsIn(known, claims)
      const workspaceIds = workspacesIn(known, claims)
      const isWhole = permissions === claims.permissions && workspaceIds === claims.workspaceIds
      return isWhole ? claims : { ...claims, permissions, workspaceIds }
    },
  }
}

export type Revocations = ReturnType<typeof createRevocations>
