// Reverses, within a minute, what a person has just done. The audit events of a request say exactly what it has changed, because
// they are written with the change. Tokens that have ended stay ended.
import type { Cause } from '../audit/audit.ts'
import type { AuditLog, LoggedEvent } from '../audit/audit-log.ts'
import {
  Conflict,
  Forbidden,
  Invalid,
  NotFound,
  nullIfMissing,
  PreconditionFailed,
} from '../language/service-errors.ts'
import type { InstallKey } from '../organizations/install.ts'
import type { InstallRequests } from '../organizations/install-requests.ts'
import type { ChangedInstall, Installs } from '../organizations/installs.ts'
import type { Members, Role } from '../organizations/members.ts'
import type { OneTimeSecrets } from '../organizations/one-time-secrets.ts'
import type { Workspaces } from '../organizations/workspaces.ts'
import type { OperatorCause } from '../people/account-guard.ts'
import type { Users } from '../people/users.ts'
import type { ConnectionKey, Connections, EndedConsent } from './connections.ts'

/** What can be undone. `at`: milliseconds since 1970 of the change. */
export type Undoable =
  | { kind: 'resume'; organizationId: string; installs: ChangedInstall[] }
  | { kind: 'uninstall'; install: InstallKey; at: number; requestIds: string[] }
  | { kind: 'reopen'; install: InstallKey; requestIds: string[] }
  | { kind: 'reconnect'; connection: ConnectionKey; consent: EndedConsent }
  | { kind: 'enable'; userId: string; at: number }
  | { kind: 'leave'; workspaceId: string; userId: string; at: number }
  | {
      kind: 'rejoin'
      organizationId: string
      userId: string
      role: Role
      workspaceIds: string[]
    }

/** `until`: milliseconds since 1970. */
export interface OfferedUndo {
  all: readonly Undoable[]
  /** The person acted as an operator. */
  byOperator: boolean
  until: number
}

const undoneWithin = 60_000 // ms
const enabled = { disabled: false }
/** Changes of one request. */
const mostUndone = 1000

const isVersion =
  <Field extends string>(at: number, changedAt: Field) =>
  (current: Record<Field, Date | null> | null) => {
    if (current?.[changedAt]?.getTime() !== at) throw new PreconditionFailed()
  }

const isAbsent = (current: object | null) => {
  if (current) throw new PreconditionFailed()
}

const isTooLate = (error: unknown) =>
  [Conflict, Forbidden, Invalid, NotFound, PreconditionFailed].some((one) => error instanceof one)

/** What one event has changed, unless more was lost than can be given back. */
const undoableOf = (event: LoggedEvent): Undoable[] => {
  const { type, userId, organizationId, detail } = event
  const at = event.at.getTime()
  const { workspace_id: workspaceId, workspace_ids: workspaceIds, group_ids: groups } = detail
  if (userId === null) return []
  if (type === 'user.disabled') return [{ kind: 'enable', userId, at }]
  if (type === 'workspace_member.added')
    return [{ kind: 'leave', workspaceId: String(workspaceId), userId, at }]
  if (type !== 'member.removed' || organizationId === null) return []
  const role = detail.role as Role
  return Array.isArray(workspaceIds) && Array.isArray(groups) && groups.length === 0
    ? [{ kind: 'rejoin', organizationId, userId, role, workspaceIds }]
    : []
}

/** The suspensions of one organization are undone together, or none. */
const suspendedIn = (events: readonly LoggedEvent[]): Undoable[] => {
  const suspended = events.filter(({ type }) => type === 'install.suspended')
  const organizationId = suspended[0]?.organizationId
  if (!organizationId) return []
  const installs = suspended.map(({ clientId, at }) => ({
    clientId: clientId ?? '',
    at: at.getTime(),
  }))
  return [{ kind: 'resume', organizationId, installs }]
}

export const createUndo = (deps: {
  kept: Pick<OneTimeSecrets<OfferedUndo>, 'store' | 'take'>
  auditLog: Pick<AuditLog, 'query'>
  installs: Pick<Installs, 'resume' | 'end'>
  installRequests: Pick<InstallRequests, 'reopen'>
  connections: Pick<Connections, 'restore'>
  users: Pick<Users, 'change'>
  members: Pick<Members, 'put'>
  workspaces: Pick<Workspaces, 'putMember' | 'removeMember'>
  /** Milliseconds since 1970. */
  now(): number
}) => {
  const { installs, installRequests, connections, users, members, workspaces } = deps

  const rejoin = async (
    { organizationId, userId, role, workspaceIds }: Undoable & { kind: 'rejoin' },
    cause: OperatorCause,
  ) => {
    await members.put({ organizationId, userId, role }, cause, isAbsent)
    // A workspace may have been deleted since.
    for (const workspaceId of workspaceIds)
      await workspaces.putMember({ workspaceId, userId }, cause).catch(nullIfMissing)
    return true
  }

  /** @returns false when something has changed since */
  const takeOneBack = async (one: Undoable, cause: Cause | OperatorCause): Promise<boolean> => {
    switch (one.kind) {
      case 'resume':
        await installs.resume(one.organizationId, one.installs, cause)
        return true
      case 'uninstall':
        await installs.end(one.install, cause, isVersion(one.at, 'updatedAt'))
        await installRequests.reopen(one.install, one.requestIds, cause)
        return true
      case 'reopen':
        return installRequests.reopen(one.install, one.requestIds, cause)
      case 'reconnect':
        return connections.restore(one.connection, one.consent, cause)
      case 'leave':
        await workspaces.removeMember(one, cause, isVersion(one.at, 'createdAt'))
        return true
      case 'enable':
        if (!('rights' in cause)) return false
        await users.change(one.userId, enabled, cause, isVersion(one.at, 'disabledAt'))
        return true
      case 'rejoin':
        return 'rights' in cause && rejoin(one, cause)
    }
  }

  /** @param browser a value that only this session can present again @returns the name with which the session undoes it */
  const offer = (all: readonly Undoable[], browser: string, byOperator = false) =>
    deps.kept.store({ all, byOperator, until: deps.now() + undoneWithin }, browser)

  return {
    offer,

    /** Offers to undo what a request has changed. @returns the name; undefined when nothing of it can be undone */
    offerRequest: async (requestId: string, browser: string, byOperator: boolean) => {
      const page = { limit: mostUndone, after: null }
      const { items, next } = await deps.auditLog.query({ requestId }, page)
      const all = [...suspendedIn(items), ...items.flatMap(undoableOf)]
      return all.length > 0 && next === null ? offer(all, browser, byOperator) : undefined
    },

    /** What this session was offered under the name, once; null: nothing, or its time is over. */
    take: async (name: string, browser: string): Promise<OfferedUndo | null> => {
      const kept = await deps.kept.take(name, browser)
      return kept && kept.until > deps.now() ? kept : null
    },

    /**
     * Undoes each of these changes, except where a user has changed the same thing since.
     * @returns `undone_partly`: some of them stay; `too_late`: all of them do
     */
    takeBack: async (all: readonly Undoable[], cause: Cause | OperatorCause) => {
      let undone = 0
      for (const one of all) {
        try {
          if (await takeOneBack(one, cause)) undone++
        } catch (error) {
          if (!isTooLate(error)) throw error
        }
      }
      if (undone === 0) return 'too_late'
      return undone === all.length ? 'undone' : 'undone_partly'
    },
  }
}

export type Undo = ReturnType<typeof createUndo>
